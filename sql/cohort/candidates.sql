-- title: Patients whose rows are kept
-- purpose: bound the memory of the one pass over each file: the number of admissions bounds the
--          number of eligible ones, so the cohort is looked for among the patients with most
-- grain: one row a patient
create or replace table candidates as
select subject_id
from admissions
where
    len(cast($subject_ids as bigint[])) = 0
    or list_contains(cast($subject_ids as bigint[]), subject_id)
group by subject_id
order by count(distinct hadm_id) desc, subject_id asc
limit $candidate_limit;
