"""Usage by stage, patient and model."""

from tasks.adapters.llm.ledger import Ledger, Tokens
from tasks.adapters.llm.prices import ModelPrice, PriceTable
from tasks.adapters.models import WorkItem
from tasks.contracts.usage import UsageCounts, UsageReport

TALK = WorkItem(stage="dialogues", subject_id="1", item="11")
ASK = WorkItem(stage="questions", subject_id="1", item="11")
OTHER = WorkItem(stage="dialogues", subject_id="2", item="21")
PRICES = PriceTable(
    source="prices.json",
    prices={
        "m": ModelPrice(
            input_usd_per_million_tokens=2.0,
            output_usd_per_million_tokens=10.0,
            cached_input_usd_per_million_tokens=0.5,
        )
    },
)


def test_nothing_asked_is_an_empty_report():
    assert Ledger("m").report() == UsageReport()


def test_requests_are_counted_by_what_they_were_for():
    ledger = Ledger("m", PRICES)
    ledger.answered(TALK, Tokens(1000, 400, 100))
    ledger.answered(OTHER, Tokens(500, 0, 50, estimated=True))
    ledger.replayed(ASK)
    ledger.failed(ASK)
    ledger.failed(ASK, Tokens(10, 0, 0))
    report = ledger.report()
    # 1000 tokens, 400 of them cached, and 100 written: 0.0012 + 0.0002 + 0.001 dollars.
    talk = UsageCounts(
        requests=1, input_tokens=1000, cached_input_tokens=400, output_tokens=100, usd=0.0024
    )
    other = UsageCounts(requests=1, input_tokens=500, output_tokens=50, usd=0.0015, estimated=1)
    ask = UsageCounts(replayed=1, failed_attempts=2, input_tokens=10, usd=0.00002)
    assert report.by_stage["questions"] == ask
    assert report.by_patient == {
        "1": UsageCounts(
            requests=1,
            replayed=1,
            failed_attempts=2,
            input_tokens=1010,
            cached_input_tokens=400,
            output_tokens=100,
            usd=0.00242,
        ),
        "2": other,
    }
    assert report.by_stage["dialogues"].usd == (talk.usd or 0) + (other.usd or 0)
    assert report.total == report.by_model["m"]
    assert (report.total.requests, report.total.input_tokens) == (2, 1510)


def test_without_prices_there_is_no_cost():
    ledger = Ledger("m")
    ledger.answered(TALK, Tokens(1000, 0, 100))
    assert ledger.report().total.usd is None
