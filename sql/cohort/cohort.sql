-- title: The cohort
-- purpose: the first patients by rank, or those asked for by id
-- grain: one row a patient
create or replace table cohort as
select
    subject_id,
    eligible_admissions,
    place
from eligible_patients
where
    len(cast($subject_ids as bigint[])) = 0
    or list_contains(cast($subject_ids as bigint[]), subject_id)
order by place asc
limit $patients;
