"""Two-sided p values of F and t, by the regularized incomplete beta function."""

from __future__ import annotations

import math

_STEPS = 300
_PRECISION = 1e-14
_TINY = 1e-300


def t_tails(t: float, degrees: float) -> float:
    """Probability of a t at least as far from 0."""
    return beta_share(degrees / (degrees + t * t), degrees / 2, 0.5)


def f_tails(f: float, above: float, below: float) -> float:
    """Twice the smaller tail of an F with these degrees of freedom."""
    lower = beta_share(above * f / (above * f + below), above / 2, below / 2)
    return min(1.0, 2 * min(lower, 1 - lower))


def beta_share(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_x(a, b) for 0 <= x <= 1 (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(scale + a * math.log(x) + b * math.log1p(-x)) / a
    return front / _continued(x, a, b)


def _continued(x: float, a: float, b: float) -> float:
    """The continued fraction, evaluated from its start (Lentz's method)."""
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, _STEPS):
        half = step // 2
        if step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + step - 1) * (a + step))
        else:
            term = half * (b - half) * x / ((a + step - 1) * (a + step))
        below = 1 / ((1 + term * below) or _TINY)
        above = (1 + term / above) or _TINY
        value *= above * below
        if abs(above * below - 1) < _PRECISION:
            break
    return value
