-- title: Discharge notes of a patient
-- purpose: the bundle's backbone (spec section 4)
-- grain: one row a note linked to one of the patient's admissions
select
    subject_id,
    hadm_id,
    note_id,
    note_seq,
    charttime,
    storetime,
    note_text as "text" -- noqa: RF06
from discharge
where kept and subject_id = cast($patient as bigint)
order by
    hadm_id asc,
    note_seq asc nulls last,
    charttime asc nulls last,
    storetime asc nulls last,
    note_id asc;
