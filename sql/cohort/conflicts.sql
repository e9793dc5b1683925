-- title: Ids with two contents
-- purpose: find ids that are keys in MIMIC but stand on records that differ
-- grain: one row an id
select
    'patients' as table_name,
    'subject_id' as column_name,
    cast(subject_id as varchar) as id
from patients
group by subject_id
having count(*) > 1
union all
select
    'admissions' as table_name,
    'hadm_id' as column_name,
    cast(hadm_id as varchar) as id
from admissions
group by hadm_id
having count(*) > 1
order by table_name asc, id asc;
