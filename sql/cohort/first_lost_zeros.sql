-- title: The first record whose code lost its leading zeros
-- purpose: name a record that shows it; records count from 1 after the header line
-- grain: at most one row
with numbered as (
    select
        row_number() over () as record_number,
        icd_code,
        icd_version
    from query_table($view_name)
),

titles as (
    select
        icd_code,
        icd_version
    from query_table($dictionary)
)

select numbered.record_number
from numbered
left join titles
    on numbered.icd_code = titles.icd_code and numbered.icd_version = titles.icd_version
inner join titles as padded
    on
        ltrim(numbered.icd_code, '0') = ltrim(padded.icd_code, '0')
        and numbered.icd_version = padded.icd_version
        and length(numbered.icd_code) < length(padded.icd_code)
where titles.icd_code is null
order by numbered.record_number asc
limit 1;
