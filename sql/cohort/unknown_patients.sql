-- title: Patients of admissions that hosp/patients lacks
-- purpose: show that hosp/patients is incomplete
-- grain: one row
select
    count(distinct admissions.subject_id) as patients,
    min(admissions.subject_id) as first -- noqa: RF04
from admissions
left join patients on admissions.subject_id = patients.subject_id
where patients.subject_id is null;
