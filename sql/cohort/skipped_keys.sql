-- title: Repeated records of key tables, and admissions without a note
-- purpose: count what was left out of patients, admissions and dictionaries in the whole files
-- grain: one row a table and reason
with counted as (
    select
        'patients' as table_name,
        'repeated_row' as reason,
        sum(records - 1) as skipped
    from patients
    union all
    select
        'admissions' as table_name,
        'repeated_row' as reason,
        sum(records - 1) as skipped
    from admissions
    union all
    select
        'admissions' as table_name,
        'no_discharge_note' as reason,
        count(*) as skipped
    from admissions
    left join eligible_admissions on admissions.hadm_id = eligible_admissions.hadm_id
    where eligible_admissions.hadm_id is null
    union all
    select
        'd_icd_diagnoses' as table_name,
        'repeated_code' as reason,
        sum(records - 1) as skipped
    from d_icd_diagnoses
    union all
    select
        'd_icd_procedures' as table_name,
        'repeated_code' as reason,
        sum(records - 1) as skipped
    from d_icd_procedures
)

select
    table_name,
    reason,
    cast(skipped as bigint) as skipped
from counted
where skipped > 0
order by table_name asc, reason asc;
