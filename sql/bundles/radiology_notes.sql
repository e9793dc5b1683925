-- title: Radiology reports of a patient
-- purpose: reports whose hadm_id names the admission (spec section 4)
-- grain: one row a report linked to one of the patient's admissions
select
    subject_id,
    hadm_id,
    note_id,
    charttime,
    storetime,
    note_text as "text" -- noqa: RF06
from radiology
where kept and subject_id = cast($patient as bigint)
order by
    hadm_id asc,
    charttime asc nulls last,
    storetime asc nulls last,
    note_id asc;
