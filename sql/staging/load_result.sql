-- title: What was read from one file
-- purpose: reconcile records and find refused ones after a load
-- grain: one row
select
    cast(coalesce(sum(records), 0) as bigint) as records,
    cast(coalesce(sum(decimal_ids), 0) as bigint) as decimal_ids,
    count(problem) > 0 as refused
from query_table($table_name);
