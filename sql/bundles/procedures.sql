-- title: Procedures by date
-- purpose: billed procedures with their titles; known by date only, so they get noon
-- grain: one row a different procedure; all patients where no subject_id is given
with wanted as (
    select
        subject_id,
        hadm_id,
        seq_num,
        chartdate,
        icd_code,
        icd_version
    from procedures_icd
    where kept and subject_id = coalesce(cast($patient as bigint), subject_id)
)

select
    wanted.subject_id,
    wanted.hadm_id,
    wanted.seq_num,
    wanted.chartdate,
    wanted.icd_code,
    wanted.icd_version,
    coalesce(d_icd_procedures.long_title, '') as long_title,
    wanted.chartdate + interval 12 hours as normalized_time,
    'date_only_normalized' as time_provenance
from wanted
left join d_icd_procedures
    on
        wanted.icd_code = d_icd_procedures.icd_code
        and wanted.icd_version = d_icd_procedures.icd_version
order by
    wanted.subject_id asc,
    wanted.hadm_id asc,
    wanted.chartdate asc,
    wanted.seq_num asc,
    wanted.icd_version asc,
    wanted.icd_code asc;
