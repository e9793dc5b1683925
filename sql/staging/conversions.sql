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
-- Spreadsheets and programs write 1899-12-30, 1900-01-00, 1970-01-01 or 9999-12-31 for "none".
create or replace macro is_meant_year(value) as
left(value, 4) between '1971' and '2999';

-- DuckDB alone would read 24:00:00 as the next day.
create or replace macro is_moment(value) as
regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]')
and is_meant_year(value)
and try_cast(value as timestamp) is not null;

create or replace macro moment(value) as
case when is_moment(value) then cast(value as timestamp) end;

create or replace macro is_day(value) as
regexp_full_match(value, '[0-9]{4}-[0-9]{2}-[0-9]{2}( 00:00:00)?')
and is_meant_year(value)
and try_cast(value as timestamp) is not null;

create or replace macro calendar_day(value) as
case when is_day(value) then cast(left(value, 10) as date) end;

create or replace macro label(value) as
coalesce(trim(value), '');

-- Blank in any script's way: Unicode's separators, control characters, marks without a width.
create or replace macro is_blank(value) as
regexp_full_match(coalesce(value, ''), '[\s\pZ\pC]*');

-- ICD codes are padded with blanks in places; tabs and fixed blanks come from copying.
create or replace macro icd_code_text(value) as
upper(coalesce(regexp_replace(value, '^[\s\x{A0}]+|[\s\x{A0}]+$', '', 'g'), ''));

create or replace macro is_missing_word(value) as
upper(trim(value)) in ('NA', 'NAN', 'NULL', 'NONE', 'N/A', '#N/A', '<NA>', 'NAT');

create or replace macro value_class(value) as
case
    when value is null then 'an empty field'
    when is_missing_word(value) then 'a word for a missing value'
    when regexp_matches(value, '^[\s\x{A0}]|[\s\x{A0}]$') then 'a value padded with blanks'
    when regexp_full_match(value, '[0-9]{19,}(\.0+)?') then 'a number of more than 18 digits'
    when regexp_full_match(value, '[0-9]+') then 'a whole number'
    when regexp_full_match(value, '[0-9]+\.0+') then 'a whole number written as a decimal'
    when regexp_full_match(value, '[+-]?[0-9.,]+[eE][+-]?[0-9]+') then 'a number with an exponent'
    when regexp_full_match(value, '[+-]?[0-9]{1,3}([,. ''\x{A0}\x{202F}][0-9]{3})+')
        then 'a number with thousands separators'
    when regexp_full_match(value, '[+-]?[0-9]*[.,]?[0-9]+[.]?') then 'a decimal or signed number'
    when regexp_full_match(value, '[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}.*')
        then 'a date that is not year-month-day'
    when
        regexp_full_match(value, '[0-9]{4}[/.][0-9]{1,2}[/.][0-9]{1,2}.*')
        or regexp_full_match(value, '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*')
        and not regexp_matches(value, '^[0-9]{4}-[0-9]{2}-[0-9]{2}')
        then 'a date in another spelling'
    when regexp_full_match(value, '[0-9]{1,2}[ -][[:alpha:]]{3,9}[ -][0-9]{2,4}.*')
        then 'a date with the month in letters'
    when try_cast(left(value, 10) as date) is not null and not is_meant_year(value)
        then 'a date before 1971 or after 2999'
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

create or replace macro choice_problem(name, value, first_choice, second_choice) as
coalesce(
    number_problem(name, value, false),
    case
        when whole_number(value) not in (first_choice, second_choice)
            then
                name || ': another number than ' || first_choice || ' and ' || second_choice
    end
);

-- The shortest ICD codes have three characters; titles stand on chapters too.
create or replace macro icd_code_problem(value, shortest) as
case
    when icd_code_text(value) = '' then null
    when
        is_missing_word(value)
        or not regexp_full_match(icd_code_text(value), '[0-9A-Za-z]{1,7}')
        or length(icd_code_text(value)) < shortest
        then
            'icd_code: '
            || case
                when regexp_full_match(icd_code_text(value), '[0-9]{1,2}')
                    then 'a code without its leading zeros, which spreadsheets drop,'
                else value_class(icd_code_text(value))
            end
            || ' instead of an ICD code, '
            || shortest || ' to 7 digits and letters without a dot'
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

-- discharge and radiology have the same columns: nothing else tells that they were swapped.
create or replace macro note_kind_problem(note_id, note_type, foreign_kinds) as
case
    when regexp_full_match(note_type, foreign_kinds) then 'note_type: a note of the other file'
    when regexp_full_match(split_part(note_id, '-', 2), foreign_kinds)
        then 'note_id: the id of a note of the other file'
end;

create or replace macro link_reason(hadm_id, subject_id, found_hadm_id, found_subject_id) as
case
    when hadm_id is null then 'no_hadm_id'
    when found_hadm_id is null then 'unknown_admission'
    when found_subject_id <> subject_id then 'subject_mismatch'
end;
