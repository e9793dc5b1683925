import json

import pytest

from tasks.contracts.errors import SettingError
from tasks.preconsultation.exporting import chat_lines, refuse_shared
from tests.factories.profiles import interview, profile

ASK = ("Question: Cough?\nOptions: yes, no", "yes")
PATIENT = profile(associated=("Cough",))


def test_a_clean_interview_becomes_chat_messages():
    (line,) = chat_lines([PATIENT], [interview(ASK, ASK)], "en", 2)
    messages = json.loads(line)["messages"]
    assert [one["role"] for one in messages] == ["system", "user", "assistant", "user", "assistant"]
    assert messages[2]["content"] == "Question: Cough?\nOptions:\n- yes\n- no"
    assert messages[3]["content"] == "Answer: yes"
    assert "asthma" not in line.casefold()


@pytest.mark.parametrize(
    "odd",
    [
        interview(ASK),
        interview(ASK, ("Question: Cough?", "yes")),
        interview(ASK, (ASK[0], "My asthma")),
        interview(ASK, ASK, failed="not answered: transient"),
        interview(ASK, ASK).model_copy(update={"pid": "unknown"}),
    ],
)
def test_interviews_that_are_not_clean_stay_behind(odd: object):
    assert list(chat_lines([PATIENT], [odd], "en", 2)) == []  # pyright: ignore[reportArgumentType]


def test_profiles_that_are_evaluated_are_refused_by_pid_and_by_content():
    other = profile("2", complaint="Something else")
    refuse_shared([PATIENT], [other])
    with pytest.raises(SettingError, match="1 of the profiles to export are evaluated too"):
        refuse_shared([PATIENT, profile("3", "Stroke", "Dizzy")], [other, PATIENT])
    with pytest.raises(SettingError, match="content: 7"):
        refuse_shared([profile("7", associated=("COUGH",))], [PATIENT])
    with pytest.raises(SettingError, match="content: 7"):
        refuse_shared([profile("7", associated=(" cough.",))], [PATIENT])


def test_a_profile_that_the_evaluated_file_only_names_is_refused_too():
    with pytest.raises(SettingError, match="content: 1"):
        refuse_shared([PATIENT], [], ["1"])
