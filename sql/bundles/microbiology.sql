-- title: Microbiology results by time
-- purpose: tests, isolates and susceptibilities; without a time of day they get noon
-- grain: one row a different result; all patients where no subject_id is given
select
    subject_id,
    hadm_id,
    chartdate,
    charttime,
    coalesce(charttime, chartdate + interval 12 hours) as normalized_time,
    case
        when charttime is null then 'date_only_normalized' else 'recorded'
    end as time_provenance,
    spec_type_desc,
    test_name,
    org_name,
    ab_name,
    interpretation,
    comments
from microbiologyevents
where kept and subject_id = coalesce(cast($patient as bigint), subject_id)
order by
    subject_id asc,
    hadm_id asc,
    normalized_time asc,
    time_provenance asc,
    chartdate asc nulls last,
    spec_type_desc asc,
    test_name asc,
    org_name asc,
    ab_name asc,
    interpretation asc,
    comments asc;
