-- title: The first refused record
-- purpose: name record and problem without repeating the value; records count from 1 after the
--          header line
-- grain: at most one row
with numbered as (
    select
        row_number() over () as record_number,
        problem
    from query_table($view_name)
)

select
    record_number,
    problem
from numbered
where problem is not null
order by record_number asc
limit 1;
