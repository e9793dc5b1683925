-- title: Admissions as recorded
-- purpose: rename, trim and cast hosp/admissions; say what is wrong with a record
-- grain: one row a record of the file
create or replace view staging_admissions as
select
    whole_number(subject_id) as subject_id,
    whole_number(hadm_id) as hadm_id,
    moment(admittime) as admittime,
    moment(dischtime) as dischtime,
    moment(deathtime) as deathtime,
    label(admission_type) as admission_type,
    label(admission_location) as admission_location,
    label(discharge_location) as discharge_location,
    coalesce(whole_number(hospital_expire_flag) = 1, false)
    or label(discharge_location) = 'DIED' as recorded_as_died,
    coalesce(
        number_problem('subject_id', subject_id, true),
        number_problem('hadm_id', hadm_id, true),
        moment_problem('admittime', admittime, true),
        moment_problem('dischtime', dischtime, false),
        moment_problem('deathtime', deathtime, false),
        choice_problem('hospital_expire_flag', hospital_expire_flag, 0, 1)
    ) as problem,
    written_as_decimal(subject_id) + written_as_decimal(hadm_id) as decimal_ids
from raw_admissions;
