-- title: Diagnoses by priority
-- purpose: billed diagnoses with their titles; a code without title keeps an empty one
-- grain: one row a different diagnosis; all patients where no subject_id is given
with wanted as (
    select
        subject_id,
        hadm_id,
        seq_num,
        icd_code,
        icd_version
    from diagnoses_icd
    where kept and subject_id = coalesce(cast($patient as bigint), subject_id)
)

select
    wanted.subject_id,
    wanted.hadm_id,
    wanted.seq_num,
    wanted.icd_code,
    wanted.icd_version,
    coalesce(d_icd_diagnoses.long_title, '') as long_title
from wanted
left join d_icd_diagnoses
    on
        wanted.icd_code = d_icd_diagnoses.icd_code
        and wanted.icd_version = d_icd_diagnoses.icd_version
order by
    wanted.subject_id asc,
    wanted.hadm_id asc,
    wanted.seq_num asc,
    wanted.icd_version asc,
    wanted.icd_code asc;
