-- title: Every admission of the cohort's patients
-- purpose: what the rules about stays and death need, eligible or not
-- grain: one row an admission
select
    cast(admissions.subject_id as varchar) as subject_id,
    cast(admissions.hadm_id as varchar) as hadm_id,
    admissions.admittime,
    admissions.dischtime,
    admissions.deathtime,
    admissions.recorded_as_died,
    eligible_admissions.hadm_id is not null as eligible,
    eligible_admissions.latest_charttime,
    eligible_admissions.latest_storetime
from cohort
inner join admissions on cohort.subject_id = admissions.subject_id
left join eligible_admissions on admissions.hadm_id = eligible_admissions.hadm_id
order by
    cohort.place asc, admissions.admittime asc, admissions.hadm_id asc;
