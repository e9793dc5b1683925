-- title: Note ids with two contents
-- purpose: find note ids that stand on linked notes that differ
-- grain: one row an id
select
    'discharge' as table_name,
    'note_id' as column_name,
    note_id as id
from discharge
where linked
group by note_id
having count(*) > 1
union all
select
    'radiology' as table_name,
    'note_id' as column_name,
    note_id as id
from radiology
where kept
group by note_id
having count(*) > 1
order by table_name asc, id asc;
