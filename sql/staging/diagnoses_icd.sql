-- title: Billed diagnoses as recorded
-- purpose: rename, trim and cast hosp/diagnoses_icd; say what is wrong with a record
-- grain: one row a record of the file
create or replace view staging_diagnoses_icd as
select
    whole_number(subject_id) as subject_id,
    whole_number(hadm_id) as hadm_id,
    whole_number(seq_num) as seq_num,
    icd_code_text(icd_code) as icd_code,
    whole_number(icd_version) as icd_version,
    coalesce(
        number_problem('subject_id', subject_id, true),
        number_problem('hadm_id', hadm_id, false),
        number_problem('seq_num', seq_num, true),
        number_problem('icd_version', icd_version, true),
        choice_problem('icd_version', icd_version, 9, 10),
        icd_code_problem(icd_code, 3)
    ) as problem,
    written_as_decimal(subject_id) + written_as_decimal(hadm_id) as decimal_ids
from raw_diagnoses_icd;
