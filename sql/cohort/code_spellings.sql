-- title: How billed codes fit the dictionaries
-- purpose: show files that a spreadsheet robbed of leading zeros, swapped or cut dictionaries
-- grain: one row a billing file that holds codes
with recorded as (
    select
        'diagnoses' as kind,
        icd_code,
        icd_version,
        sum(records) as records
    from diagnoses_icd
    where problem is null and icd_code <> ''
    group by icd_code, icd_version
    union all
    select
        'procedures' as kind,
        icd_code,
        icd_version,
        sum(records) as records
    from procedures_icd
    where problem is null and icd_code <> ''
    group by icd_code, icd_version
),

titles as (
    select
        'diagnoses' as kind,
        icd_code,
        icd_version
    from d_icd_diagnoses
    union all
    select
        'procedures' as kind,
        icd_code,
        icd_version
    from d_icd_procedures
),

-- The shortest and longest spelling of a code that differs in leading zeros only.
spellings as (
    select
        kind,
        icd_version,
        ltrim(icd_code, '0') as bare_code,
        max(length(icd_code)) as longest,
        min(length(icd_code)) as shortest
    from titles
    group by kind, icd_version, bare_code
),

padded as (
    select
        kind,
        count(*) as titles,
        count(*) filter (where starts_with(icd_code, '0')) as padded_titles
    from titles
    group by kind
)

select
    recorded.kind,
    cast(sum(recorded.records) as bigint) as records,
    cast(coalesce(any_value(padded.titles), 0) as bigint) as titles,
    cast(coalesce(any_value(padded.padded_titles), 0) as bigint) as padded_titles,
    cast(coalesce(sum(recorded.records) filter (where titles.kind is null), 0) as bigint)
        as untitled,
    cast(
        coalesce(
            sum(recorded.records) filter (
                where titles.kind is null and spellings.longest > length(recorded.icd_code)
            ), 0
        ) as bigint
    ) as zeros_lost,
    cast(
        coalesce(
            sum(recorded.records) filter (
                where titles.kind is null and spellings.shortest < length(recorded.icd_code)
            ), 0
        ) as bigint
    ) as zeros_lost_by_title,
    cast(
        coalesce(
            sum(recorded.records) filter (
                where titles.kind is null and foreign_titles.kind is not null
            ), 0
        ) as bigint
    ) as titled_by_other,
    count(*) filter (where starts_with(recorded.icd_code, '0')) as padded_codes
from recorded
left join titles
    on
        recorded.kind = titles.kind
        and recorded.icd_code = titles.icd_code
        and recorded.icd_version = titles.icd_version
left join titles as foreign_titles
    on
        recorded.kind <> foreign_titles.kind
        and recorded.icd_code = foreign_titles.icd_code
        and recorded.icd_version = foreign_titles.icd_version
left join spellings
    on
        recorded.kind = spellings.kind
        and recorded.icd_version = spellings.icd_version
        and ltrim(recorded.icd_code, '0') = spellings.bare_code
left join padded on recorded.kind = padded.kind
group by recorded.kind
order by recorded.kind asc;
