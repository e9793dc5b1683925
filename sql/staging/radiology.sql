-- title: Radiology notes as recorded
-- purpose: rename and cast note/radiology, the text untouched; say what is wrong with a record
-- grain: one row a record of the file
create or replace view staging_radiology as
select
    note_id,
    whole_number(subject_id) as subject_id,
    whole_number(hadm_id) as hadm_id,
    whole_number(note_seq) as note_seq,
    moment(charttime) as charttime,
    moment(storetime) as storetime,
    text as note_text,
    coalesce(
        note_id_problem(note_id),
        note_kind_problem(note_id, note_type, 'DS|AD'),
        number_problem('subject_id', subject_id, true),
        number_problem('hadm_id', hadm_id, false),
        number_problem('note_seq', note_seq, false),
        moment_problem('charttime', charttime, false),
        moment_problem('storetime', storetime, false)
    ) as problem,
    written_as_decimal(subject_id) + written_as_decimal(hadm_id) as decimal_ids
from raw_radiology;
