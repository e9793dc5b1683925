-- title: Records of one table left out
-- purpose: count records that fit no admission (whole file) and the cohort's exact repeats
-- grain: one row a reason
with recorded as (
    select
        reason,
        kept,
        subject_id,
        records
    from query_table($table_name)
),

counted as (
    select
        reason,
        sum(records) as skipped
    from recorded
    where reason is not null
    group by reason
    union all
    select
        'repeated_row' as reason,
        sum(recorded.records - 1) as skipped
    from recorded
    inner join cohort on recorded.subject_id = cohort.subject_id
    where recorded.kept
)

select
    reason,
    cast(skipped as bigint) as skipped
from counted
where skipped > 0
order by reason asc;
