-- title: Patients
-- purpose: drop exact repeats, keeping their number
-- grain: one row a different record
create or replace table patients as
select
    subject_id,
    gender,
    anchor_age,
    anchor_year,
    dod,
    problem,
    sum(decimal_ids) as decimal_ids,
    count(*) as records
from staging_patients
group by all;
