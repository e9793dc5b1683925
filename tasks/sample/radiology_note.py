"""The radiology report in MIMIC's look."""

from __future__ import annotations

from tasks.sample.layout import BLANK, numbered, paragraph
from tasks.sample.studies import Study


def radiology_note(study: Study, compared: bool) -> str:
    """The report of one study; ``compared`` says that an earlier one exists."""
    comparison = "Prior study of ___." if compared else "None."
    one = len(study.impression) == 1
    impression = paragraph(" ".join(study.impression)) if one else numbered(study.impression)
    lines = [
        f"EXAMINATION:  {study.entry.examination}",
        BLANK,
        *paragraph(f"INDICATION:  {study.indication}"),
        BLANK,
        *paragraph(f"TECHNIQUE:  {study.technique}"),
        BLANK,
        f"COMPARISON:  {comparison}",
        BLANK,
        "FINDINGS: ",
        BLANK,
        *paragraph(" ".join(study.findings)),
        BLANK,
        "IMPRESSION: ",
        BLANK,
        *impression,
        "",
    ]
    return "\n".join(lines)
