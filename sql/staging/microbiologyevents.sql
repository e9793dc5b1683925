-- title: Microbiology rows as recorded
-- purpose: rename, trim and cast hosp/microbiologyevents; say what is wrong with a record
-- grain: one row a record of the file
create or replace view staging_microbiologyevents as
select
    whole_number(subject_id) as subject_id,
    whole_number(hadm_id) as hadm_id,
    calendar_day(chartdate) as chartdate,
    moment(charttime) as charttime,
    label(spec_type_desc) as spec_type_desc,
    label(test_name) as test_name,
    label(org_name) as org_name,
    label(ab_name) as ab_name,
    label(interpretation) as interpretation,
    label(comments) as comments, -- noqa: RF04
    coalesce(
        number_problem('subject_id', subject_id, true),
        number_problem('hadm_id', hadm_id, false),
        day_problem('chartdate', chartdate, false),
        moment_problem('charttime', charttime, false)
    ) as problem,
    written_as_decimal(subject_id) + written_as_decimal(hadm_id) as decimal_ids
from raw_microbiologyevents;
