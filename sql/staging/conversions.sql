-- title: Strict conversions
-- purpose: read MIMIC's text as numbers and times without guessing; say what a refused value is
--          without repeating it
-- grain: scalar macros

create or replace macro is_whole_number(value) as
regexp_full_match(value, '[0-9]{1,18}(\.0+)?');

create or replace macro whole_number(value) as
case when is_whole_number(value) then cast(split_part(value, '.', 1) as bigint) end;

create or replace macro written_as_decimal(value) as
cast(coalesce(is_whole_number(value) and contains(value, '.'), false) as integer);

-- DuckDB alone would read 24:00:00 as the next day.
create or replace macro is_moment(value) as
regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]')
and try_cast(value as timestamp) is not null;

create or replace macro moment(value) as
case when is_moment(value) then cast(value as timestamp) end;

create or replace macro is_day(value) as
regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}( 00:00:00)?')
and try_cast(value as timestamp) is not null;

create or replace macro calendar_day(value) as
case when is_day(value) then cast(left(value, 10) as date) end;

create or replace macro label(value) as
coalesce(trim(value), '');

create or replace macro value_class(value) as
case
    when value is null then 'an empty field'
    when upper(trim(value)) in ('NA', 'NAN', 'NULL', 'NONE', 'N/A', '<NA>')
        then 'a word for a missing value'
    when trim(value) <> value then 'a value padded with blanks'
    when regexp_full_match(value, '[0-9]+(\.0+)?') then 'a whole number'
    when regexp_full_match(value, '[+-]?[0-9.]+[eE][+-]?[0-9]+') then 'a number with an exponent'
    when regexp_full_match(value, '[+-]?[0-9]*\.?[0-9]+') then 'a decimal or signed number'
    when regexp_full_match(value, '[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}.*')
        then 'a date that is not year-month-day'
    when regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}')
        then 'a date alone or a day that does not exist'
    when regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T].*')
        then 'a time in another spelling, or one that does not exist'
    else 'text'
end;

create or replace macro number_problem(name, value, required) as
case
    when value is null and not required then null
    when not coalesce(is_whole_number(value), false)
        then name || ': ' || value_class(value) || ' instead of a whole number'
end;

create or replace macro moment_problem(name, value, required) as
case
    when value is null and not required then null
    when not coalesce(is_moment(value), false)
        then
            name || ': ' || value_class(value) || ' instead of a time as YYYY-MM-DD HH:MM:SS'
end;

create or replace macro day_problem(name, value, required) as
case
    when value is null and not required then null
    when not coalesce(is_day(value), false)
        then name || ': ' || value_class(value) || ' instead of a day as YYYY-MM-DD'
end;

create or replace macro note_id_problem(value) as
case
    when not coalesce(regexp_full_match(value, '[0-9]+-[A-Z]+-[0-9]+'), false)
        then 'note_id: ' || value_class(value) || ' instead of an id such as 90000001-DS-1'
end;

create or replace macro link_reason(hadm_id, subject_id, found_hadm_id, found_subject_id) as
case
    when hadm_id is null then 'no_hadm_id'
    when found_hadm_id is null then 'unknown_admission'
    when found_subject_id <> subject_id then 'subject_mismatch'
end;
