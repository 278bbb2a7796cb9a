"""Roberts' cognates: three four-bars that draw one coupler curve, each of which can be driven at either fixed pin.

With crank vector a, coupler b, rocker c = C − D, and P = B + g b, the fixed pins are A, D and E = A + g (D − A), a
triangle like that of the coupler (S. Roberts 1875). The links of the others are g b, g a, g c and (g −
1) b, (1 − g) c, (1 − g) a, which turn as those of the first do.
"""

from __future__ import annotations

from mubo.design.synthesis.four_bar import FourBars


def cognates(family: FourBars) -> list[FourBars]:
    """The linkages themselves and their two cognates, each driven at one end and at the other: six families."""
    P = family.point
    assert P is not None
    A, D, B, C = family.A[:, None], family.D[:, None], family.B, family.C
    a, b, c = B - A, C - B, C - D
    g = ((P - B) / b).mean(axis=1, keepdims=True)
    E = A + g * (D - A)
    out = [family]
    out.append(FourBars(A=family.A, B=A + g * b, C=E + g * c, D=E[:, 0], point=P))
    out.append(FourBars(A=family.D, B=D + (g - 1) * b, C=E + (1 - g) * a, D=E[:, 0], point=P))
    return [*out, *(reversed_drive(one) for one in out)]


def reversed_drive(family: FourBars) -> FourBars:
    """The given linkages driven at the other fixed pin."""
    return FourBars(A=family.D, B=family.C, C=family.B, D=family.A, point=family.point, angle=family.angle)
