-- title: Microbiology of the candidates
-- purpose: link hosp/microbiologyevents to admissions in one pass; other records are only counted
-- grain: one row a different kept result, one row a reason or problem for the others
create or replace table microbiologyevents as
with judged as (
    select
        recorded.*,
        coalesce(
            link_reason(
                recorded.hadm_id, recorded.subject_id, admissions.hadm_id, admissions.subject_id
            ),
            case
                when recorded.chartdate is null and recorded.charttime is null then 'no_date'
            end
        ) as reason,
        candidates.subject_id is not null
        and reason is null
        and recorded.problem is null as kept
    from staging_microbiologyevents as recorded
    left join admissions on recorded.hadm_id = admissions.hadm_id
    left join candidates on recorded.subject_id = candidates.subject_id
)

select
    problem,
    reason,
    kept,
    case when kept then subject_id end as subject_id,
    case when kept then hadm_id end as hadm_id,
    case when kept then chartdate end as chartdate,
    case when kept then charttime end as charttime,
    case when kept then spec_type_desc end as spec_type_desc,
    case when kept then test_name end as test_name,
    case when kept then org_name end as org_name,
    case when kept then ab_name end as ab_name,
    case when kept then interpretation end as interpretation,
    case when kept then comments end as comments, -- noqa: RF04
    sum(decimal_ids) as decimal_ids,
    count(*) as records
from judged
group by all;
