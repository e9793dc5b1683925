-- title: Titles of diagnoses codes as recorded
-- purpose: rename, trim and cast hosp/d_icd_diagnoses; say what is wrong with a record
-- grain: one row a record of the file
create or replace view staging_d_icd_diagnoses as
select
    icd_code_text(icd_code) as icd_code,
    whole_number(icd_version) as icd_version,
    label(long_title) as long_title,
    coalesce(
        number_problem('icd_version', icd_version, true),
        choice_problem('icd_version', icd_version, 9, 10),
        icd_code_problem(icd_code, 1)
    ) as problem,
    0 as decimal_ids
from raw_d_icd_diagnoses;
