"""Conditions that a question sets and a turn can meet: at home or at discharge, started, held."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class Cue(StrEnum):
    """A condition under which a value holds, so that two values needn't contradict."""

    HOME = "home"
    DISCHARGE = "discharge"
    ARRIVAL = "arrival"
    STARTED = "started"
    HELD = "held"
    STOPPED = "stopped"
    INCREASED = "increased"
    DECREASED = "decreased"
    CONTINUED = "continued"
    GIVEN = "given"
    RESUMED = "resumed"
    DIAGNOSIS = "diagnosis"
    HISTORY = "history"
    COMPLAINT = "complaint"
    FOLLOW_UP = "follow_up"
    ALLERGY = "allergy"


PHASES = frozenset({Cue.HOME, Cue.DISCHARGE, Cue.ARRIVAL})
ACTIONS = frozenset(
    {
        Cue.STARTED, Cue.HELD, Cue.STOPPED, Cue.INCREASED, Cue.DECREASED, Cue.CONTINUED,
        Cue.GIVEN, Cue.RESUMED,
    }
)  # fmt: skip

_PATTERNS = {
    Cue.HOME: r"(?<!go )(?<!going )(?<!went )(?<!went back )(?<!discharged )(?:at home|home "
    r"(?:dose|list|medic\w+|regimen|drug\w*|prescription\w*))|(?:taken|used|using|took|taking|take|"
    r"using|in use|on)\b.{0,40}\bbefore (?:the |this |that |each )?(?:admission|stay|coming|"
    r"hospitali\w+)|before (?:the |this |that |each )?(?:admission|coming)|before you came|prior "
    r"to "
    r"(?:admission|arrival|the stay|coming)|pre-?admission|on arrival take|(?:you|were|been) "
    r"(?:were |have been |had been )?(?:already )?(?:taking|on before)|you (?:came|come) with|"
    r"your own (?:list|medic\w+)|medicines you were on|until now|medications on admission|by the "
    r"time of|(?:dose|amount|taken|become)\b.{0,60}\bbefore the (?:one|next|following|second|"
    r"later)\b|c[oa]m(?:e|ing) (?:back )?in(?: again)? on|dose.{0,120}\bcoming (?:back )?in|"
    r"(?:on|upon) (?:return|readmission|coming back)",
    Cue.DISCHARGE: r"discharg\w*|(?:on|when|after|before|upon) (?:\w+ )?leaving|(?:when|after|"
        r"before|once|until|as|you|patient|to) (?:\w+ )?leaves?|leaving|"
        r"departure|go(?:ing|es)? "
    r"home|went home|sent home|left the hospital|once (?:at )?home|after (?:the |this )?(?:stay|"
    r"hospital\w*)|from now on|new list|what you'll be taking|you(?:'ll| will) (?:be taking|"
    r"take)|list for after|take home|back home|when you(?:'re| are) home|on the way out|"
    r"last measure\w*|prescri(?:bed|ption)|(?:at|by) the end of|ended with|after which (?:one|of|"
    r"stay|hospitali)",
    Cue.ARRIVAL: r"(?:on|at|upon) (?:admission|arrival|presentation)|admission (?:\w+ "
        r"){1,3}?(?:was|is|of|stood|came|read)|"
    r"at the (?:first measurement|start|door|beginning)|when (?:you|the patient) (?:first "
    r")?(?:came|arrived)|"
    r"initial\w*|first (?:set|blood|measure\w*|reading)|your admission",
    Cue.STARTED: r"started|begun|initiat\w+|added|new(?:ly)? (?:medic\w+|drug|on)|introduced|"
    r"is new|put on|commenced",
    Cue.HELD: r"held|withheld|paused|on hold|suspended",
    Cue.STOPPED: r"stopp\w+|discontinu\w+|taken off|took you off|ceased|no longer",
    Cue.INCREASED: r"increas\w+|raised|went up|turned up|up-?titrat\w+",
    Cue.DECREASED: r"decreas\w+|reduc\w+|lowered|went down|cut (?:back|down)|tapered|turned down",
    Cue.CONTINUED: r"continu\w+|kept|maintained|stays? (?:on|the same)|carried on",
    Cue.GIVEN: r"(?<!history )(?<!rank )given(?! to| for| as| in| out)|gave|administered|treated "
        r"with",
    Cue.RESUMED: r"resum\w+|restart\w+",
    Cue.DIAGNOSIS: r"diagnos\w+",
    Cue.HISTORY: r"histor\w+|background",
    Cue.COMPLAINT: r"chief complaint|complain\w*|brought (?:the patient|you)|(?:coming in|came "
        r"in)\b",
    Cue.FOLLOW_UP: r"follow-?\s?up|appointment\w*|to be seen|visit with|see you",
    Cue.ALLERGY: r"allerg\w+",
}  # fmt: skip
_CUES = {
    cue: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for cue, pattern in _PATTERNS.items()
}


@lru_cache(maxsize=65536)
def cues_of(text: str) -> frozenset[Cue]:
    """The conditions that a question or a turn names."""
    return frozenset(cue for cue, pattern in _CUES.items() if pattern.search(text))
