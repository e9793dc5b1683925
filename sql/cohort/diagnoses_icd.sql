-- title: Diagnoses of the candidates
-- purpose: link hosp/diagnoses_icd to admissions in one pass; other records are only counted
-- grain: one row a different kept record, one row a reason or problem and code for the others
create or replace table diagnoses_icd as
with judged as (
    select
        recorded.*,
        link_reason(
            recorded.hadm_id, recorded.subject_id, admissions.hadm_id, admissions.subject_id
        ) as reason,
        candidates.subject_id is not null
        and reason is null
        and recorded.problem is null as kept
    from staging_diagnoses_icd as recorded
    left join admissions on recorded.hadm_id = admissions.hadm_id
    left join candidates on recorded.subject_id = candidates.subject_id
)

select
    problem,
    reason,
    kept,
    case when kept then subject_id end as subject_id,
    case when kept then hadm_id end as hadm_id,
    case when kept then seq_num end as seq_num,
    icd_code,
    icd_version,
    sum(decimal_ids) as decimal_ids,
    count(*) as records
from judged
group by all;
