-- title: Billed procedures as recorded
-- purpose: rename, trim and cast hosp/procedures_icd; say what is wrong with a record
-- grain: one row a record of the file
create or replace view staging_procedures_icd as
select
    whole_number(subject_id) as subject_id,
    whole_number(hadm_id) as hadm_id,
    whole_number(seq_num) as seq_num,
    calendar_day(chartdate) as chartdate,
    icd_code_text(icd_code) as icd_code,
    whole_number(icd_version) as icd_version,
    coalesce(
        number_problem('subject_id', subject_id, true),
        number_problem('hadm_id', hadm_id, false),
        number_problem('seq_num', seq_num, true),
        day_problem('chartdate', chartdate, true),
        number_problem('icd_version', icd_version, true),
        choice_problem('icd_version', icd_version, 9, 10),
        icd_code_problem(icd_code, 3)
    ) as problem,
    written_as_decimal(subject_id) + written_as_decimal(hadm_id) as decimal_ids
from raw_procedures_icd;
