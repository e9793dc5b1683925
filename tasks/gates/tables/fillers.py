"""Words of questions and answers that name nothing."""

FILLERS = frozenset([
    "a", "admission", "after", "an", "and", "are", "as", "at", "been", "before", "between", "by",
    "did", "doctor", "does", "during", "for", "from", "had", "hospitalization", "hospitalizations",
    "how", "in", "is", "it", "its", "many", "of", "on", "or", "patient", "stay", "that", "the",
    "this", "to", "was", "were", "what", "when", "which", "who", "why", "with",
])  # fmt: skip
