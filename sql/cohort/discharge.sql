-- title: Discharge notes, with the candidates' text
-- purpose: link note/discharge to admissions in one pass; every linked note counts for
--          eligibility, text is kept for candidates only
-- grain: one row a different linked note, one row a reason or problem for the others
create or replace table discharge as
with judged as (
    select
        recorded.*,
        coalesce(
            link_reason(
                recorded.hadm_id, recorded.subject_id, admissions.hadm_id, admissions.subject_id
            ),
            case
                when is_blank(recorded.note_text) then 'empty_text'
            end
        ) as reason,
        reason is null and recorded.problem is null as linked,
        linked and candidates.subject_id is not null as kept,
        patients.subject_id is not null as known_patient
    from staging_discharge as recorded
    left join patients on recorded.subject_id = patients.subject_id
    left join admissions on recorded.hadm_id = admissions.hadm_id
    left join candidates on recorded.subject_id = candidates.subject_id
)

select
    problem,
    reason,
    linked,
    kept,
    known_patient,
    case when linked then note_id end as note_id,
    case when linked then subject_id end as subject_id,
    case when linked then hadm_id end as hadm_id,
    case when linked then note_seq end as note_seq,
    case when linked then charttime end as charttime,
    case when linked then storetime end as storetime,
    case when linked then hash(note_text) end as text_hash,
    case when kept then note_text end as note_text,
    sum(decimal_ids) as decimal_ids,
    count(*) as records
from judged
group by all;
