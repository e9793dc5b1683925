-- title: Patients asked for by id
-- purpose: tell a patient that doesn't exist from one that isn't eligible
-- grain: one row a patient asked for
with asked as (
    select distinct unnest(cast($subject_ids as bigint[])) as subject_id
)

select
    cast(asked.subject_id as varchar) as subject_id,
    patients.subject_id is not null as known,
    count(distinct eligible_admissions.hadm_id) as eligible_admissions
from asked
left join patients on asked.subject_id = patients.subject_id
left join eligible_admissions on asked.subject_id = eligible_admissions.subject_id
group by asked.subject_id, patients.subject_id
order by asked.subject_id asc;
