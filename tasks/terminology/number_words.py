"""Numbers below a hundred in words."""

ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

NUMBER_VALUES = {
    **{word: number for number, word in enumerate((*ONES, *TEENS), start=1)},
    **{word: 10 * number for number, word in enumerate(TENS, start=2)},
}
"""What each of these words is; ``twenty-two`` is the sum of its two."""
