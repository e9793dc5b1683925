-- title: The cohort's patients
-- purpose: hand the cohort over in its order; candidate says whether the rows were kept
-- grain: one row a patient
select
    cast(cohort.subject_id as varchar) as subject_id,
    cohort.eligible_admissions,
    patients.gender,
    patients.anchor_age,
    patients.anchor_year,
    patients.dod,
    candidates.subject_id is not null as candidate
from cohort
inner join patients on cohort.subject_id = patients.subject_id
left join candidates on cohort.subject_id = candidates.subject_id
order by cohort.place asc;
