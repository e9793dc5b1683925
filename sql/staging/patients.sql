-- title: Patients as recorded
-- purpose: rename, trim and cast hosp/patients; say what is wrong with a record
-- grain: one row a record of the file
create or replace view staging_patients as
select
    whole_number(subject_id) as subject_id,
    case when trim(gender) in ('F', 'M') then trim(gender) else '' end as gender,
    whole_number(anchor_age) as anchor_age,
    whole_number(anchor_year) as anchor_year,
    calendar_day(dod) as dod,
    coalesce(
        number_problem('subject_id', subject_id, true),
        number_problem('anchor_age', anchor_age, false),
        number_problem('anchor_year', anchor_year, false),
        day_problem('dod', dod, false)
    ) as problem,
    written_as_decimal(subject_id) as decimal_ids
from raw_patients;
