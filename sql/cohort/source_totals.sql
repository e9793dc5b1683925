-- title: Eligible patients and admissions of the source
-- purpose: say how large the source is that the cohort was taken from
-- grain: one row
select
    (select count(*) from eligible_patients) as eligible_patients,
    (select count(*) from eligible_admissions) as eligible_admissions;
