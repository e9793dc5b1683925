-- title: One title a code of procedures
-- purpose: keep a repeated code from multiplying rows: the first title in the alphabet counts
-- grain: one row a code and version
create or replace table d_icd_procedures as
select
    icd_code,
    icd_version,
    problem,
    min(long_title) as long_title,
    count(distinct long_title) as titles,
    sum(decimal_ids) as decimal_ids,
    count(*) as records
from staging_d_icd_procedures
group by icd_code, icd_version, problem;
