-- title: How the files fit one another
-- purpose: show a file of keys or billing that is cut: nothing else tells of a plain file cut at
--          the end of a record
-- grain: one row
with notes as (
    select
        coalesce(sum(records) filter (where linked), 0) as linked_notes,
        coalesce(
            sum(records) filter (where reason = 'unknown_admission' and known_patient), 0
        ) as stray_notes
    from discharge
),

kept as (
    select distinct hadm_id
    from discharge
    where kept
),

billed as (
    select distinct hadm_id
    from diagnoses_icd
    where kept
),

admissions_kept as (
    select
        count(*) as kept_admissions,
        count(billed.hadm_id) as billed_admissions
    from kept
    left join billed on kept.hadm_id = billed.hadm_id
)

select
    cast(notes.linked_notes as bigint) as linked_notes,
    cast(notes.stray_notes as bigint) as stray_notes,
    admissions_kept.kept_admissions,
    admissions_kept.billed_admissions
from notes
cross join admissions_kept;
