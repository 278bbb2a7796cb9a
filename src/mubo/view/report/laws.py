"""Motion laws as people read them."""

from __future__ import annotations

from mubo.motion import Expression, Function, Harmonic, Law, Polynomial, Program, Table
from mubo.view.report.markup import number

POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def law_words(law: Law) -> str:
    """ "1.9 + 0.25 sin(2 t)", or how the law is made where that is no formula."""
    if isinstance(law, Expression):
        return law.text
    if isinstance(law, Polynomial):
        terms = [
            (c, "t" + (str(k).translate(POWERS) if k > 1 else "") if k else "") for k, c in enumerate(law.coefficients)
        ]
        return _sum([(c, name) for c, name in terms if c or not name])
    if isinstance(law, Harmonic):
        inner = _sum([(law.rate, "t"), *([(law.phase, "")] if law.phase else [])])
        mean = [(law.mean, "")] if law.mean else []
        return _sum([*mean, (law.amplitude, f"sin({inner})")])
    if isinstance(law, Program):
        parts = [f"{part.law} for {number(part.lasts)}, rise {number(part.rise)}" for part in law.segments]
        again = ", repeated" if law.repeat else ""
        return f"from {number(law.value)} at {number(law.start)}: {'; '.join(parts)}{again}"
    if isinstance(law, Table):
        kind = {"none": "interpolating spline", "gcv": "smoothing spline, λ by cross-validation"}.get(
            str(law.smooth), f"smoothing spline, λ = {law.smooth}"
        )
        return f"{len(law.time)} samples, t = {number(law.time[0])} … {number(law.time[-1])}: {kind}"
    if isinstance(law, Function):
        return f"the Python function {getattr(law.function, '__name__', 'given')}"
    return type(law).__name__


def _sum(terms: list[tuple[float, str]]) -> str:
    """Terms with their signs: "1 − 2 t"."""
    out = ""
    for factor, name in terms or [(0.0, "")]:
        sign = " − " if factor < 0 else " + "
        size = "" if abs(factor) == 1 and name else number(abs(factor)) + (" " if name else "")
        out += (sign if out else sign.strip().replace("+", "")) + size + name
    return out
