-- title: All hospital stays
-- purpose: stays with their patient's context, for the generator of notes
-- grain: one row an admission
select
    admissions.subject_id,
    admissions.hadm_id,
    patients.gender,
    patients.anchor_age + year(admissions.admittime) - patients.anchor_year as age,
    patients.dod,
    admissions.admittime,
    admissions.dischtime,
    admissions.deathtime,
    admissions.recorded_as_died or admissions.deathtime is not null as died,
    admissions.admission_type,
    admissions.admission_location,
    admissions.discharge_location
from admissions
inner join patients on admissions.subject_id = patients.subject_id
order by
    admissions.subject_id asc, admissions.admittime asc, admissions.hadm_id asc;
