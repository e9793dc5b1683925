-- title: Eligible admissions
-- purpose: spec section 3: at least one discharge note carries the admission's hadm_id
-- grain: one row an admission with a linked discharge note
create or replace table eligible_admissions as
select
    subject_id,
    hadm_id,
    max(charttime) as latest_charttime,
    max(storetime) as latest_storetime
from discharge
where linked
group by subject_id, hadm_id;
