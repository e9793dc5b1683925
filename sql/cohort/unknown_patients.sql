-- title: Patients of admissions that hosp/patients lacks
-- purpose: show that hosp/patients is incomplete
-- grain: one row a patient
select distinct cast(admissions.subject_id as varchar) as subject_id
from admissions
left join patients on admissions.subject_id = patients.subject_id
where patients.subject_id is null
order by subject_id asc;
