"""What can be set about one role: ROLE.SETTING=VALUE."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.rubrics.pipeline.variants import MODEL_ROLES

EVALUATION_ROLES = ("atomizer", "perturber", "judge", "critic", "editor", "base")
ASKED_ROLES: tuple[str, ...] = (*MODEL_ROLES, *EVALUATION_ROLES)
"""What a role's model, temperature and top_p can be set for."""

USUAL: Mapping[str, Mapping[str, float]] = {
    "judge": {"temperature": 0.0},
    "base": {"temperature": 0.7, "top_p": 0.9},
}
"""Sampling of the paper where it is not that of the agents."""
_SETTINGS = ("model", "temperature", "top_p")


def role_setting(text: str) -> tuple[str, str, str | float]:
    """Role, setting and value of ROLE.SETTING=VALUE; raises ValueError."""
    place, _, value = text.partition("=")
    role, _, name = place.strip().partition(".")
    if role not in ASKED_ROLES or name not in _SETTINGS or not value.strip():
        raise ValueError(
            f"found {text!r}, expected ROLE.SETTING=VALUE with a role of "
            f"{', '.join(ASKED_ROLES)} and a setting of {', '.join(_SETTINGS)}"
        )
    if name == "model":
        return role, name, value.strip()
    most = 2.0 if name == "temperature" else 1.0
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise ValueError(f"found {text!r}, expected a number from 0 to {most:g}")
    return role, name, number
