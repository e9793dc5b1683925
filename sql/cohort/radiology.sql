-- title: Radiology notes of the candidates
-- purpose: link note/radiology to admissions in one pass; other records are only counted
-- grain: one row a different kept note, one row a reason or problem for the others
create or replace table radiology as
with judged as (
    select
        recorded.*,
        coalesce(
            link_reason(
                recorded.hadm_id, recorded.subject_id, admissions.hadm_id, admissions.subject_id
            ),
            case
                when is_blank(recorded.note_text) then 'empty_text'
            end
        ) as reason,
        candidates.subject_id is not null
        and reason is null
        and recorded.problem is null as kept
    from staging_radiology as recorded
    left join admissions on recorded.hadm_id = admissions.hadm_id
    left join candidates on recorded.subject_id = candidates.subject_id
)

select
    problem,
    reason,
    kept,
    case when kept then note_id end as note_id,
    case when kept then subject_id end as subject_id,
    case when kept then hadm_id end as hadm_id,
    case when kept then note_seq end as note_seq,
    case when kept then charttime end as charttime,
    case when kept then storetime end as storetime,
    case when kept then note_text end as note_text,
    sum(decimal_ids) as decimal_ids,
    count(*) as records
from judged
group by all;
