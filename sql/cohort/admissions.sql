-- title: Admissions
-- purpose: drop exact repeats, keeping their number
-- grain: one row a different record
create or replace table admissions as
select
    subject_id,
    hadm_id,
    admittime,
    dischtime,
    deathtime,
    admission_type,
    admission_location,
    discharge_location,
    recorded_as_died,
    problem,
    sum(decimal_ids) as decimal_ids,
    count(*) as records
from staging_admissions
group by all;
