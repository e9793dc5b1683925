-- title: Eligible patients by rank
-- purpose: spec section 3: several eligible admissions; most admissions first, then subject_id
-- grain: one row a patient
create or replace table eligible_patients as
select
    subject_id,
    count(*) as eligible_admissions,
    row_number() over (order by count(*) desc, subject_id asc) as place
from eligible_admissions
group by subject_id
having count(*) >= $minimum_admissions;
