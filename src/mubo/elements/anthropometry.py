"""Tables of segments of the human body, as fractions of the whole.

The mass of a segment is a fraction of the mass of the subject;
its centre lies at a fraction of its length from the first of its ends to the second, and its radius of gyration about
an axis through the centre of mass, across the body, is a fraction of its length:

    m = f M,    c = p + c (d − p),    I = m (g L)²

Source of "winter": D. A. Winter, Biomechanics and Motor Control of Human Movement, table of anthropometric data (after
Dempster 1955), and lengths as fractions of height after Drillis and Contini (1966); read in public copies of the table.
Source of "de_leva_…": P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, Journal of
Biomechanics 29 (1996), table 4, radii about the transverse axis; read in public copies of the table. Its foot goes from
heel to toe tip, and it gives head, trunk and arms apart; there is no single segment for them. Radii about the line of a
segment, which only models in space need, are its longitudinal ones; Winter gives none, so that his segments have those
of de Leva's males (thigh, shank, foot, whole trunk).
"""

from __future__ import annotations

from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Fractions:
    """Fractions of the subject's mass, of the segment's length (centre from the first end, gyration) and of height.

    `axial` is the radius of gyration about the line between both ends, by the length; only models in space use it.
    """

    mass: float
    center: float
    gyration: float
    length: float
    axial: float


@dataclass(frozen=True)
class Anthropometry:
    """A table of segments: by name, with the ends between which each is measured."""

    source: str
    segments: dict[str, Fractions]
    ends: dict[str, tuple[str, str]]


ENDS = {"trunk": ("hip", "shoulder"), "thigh": ("hip", "knee"), "shank": ("knee", "ankle"), "foot": ("ankle", "toe")}
WINTER = Anthropometry(
    "Winter, Biomechanics and Motor Control of Human Movement, anthropometric table; trunk: head, arms and trunk",
    {
        "trunk": Fractions(0.678, 0.626, 0.496, 0.288, 0.191),
        "thigh": Fractions(0.100, 0.433, 0.323, 0.245, 0.149),
        "shank": Fractions(0.0465, 0.433, 0.302, 0.246, 0.103),
        "foot": Fractions(0.0145, 0.500, 0.475, 0.0855, 0.124),  # ankle to metatarsal: half of 0.152 along, 0.039 down
    },
    ENDS,
)
_DE_LEVA = "de Leva, Journal of Biomechanics 29 (1996), table 4, {}; the foot from heel to toe tip"
_HEEL = {"thigh": ENDS["thigh"], "shank": ENDS["shank"], "foot": ("heel", "toe")}
DE_LEVA_MALE = Anthropometry(
    _DE_LEVA.format("males"),
    {
        "thigh": Fractions(0.1416, 0.4095, 0.329, 0.2425, 0.149),
        "shank": Fractions(0.0433, 0.4459, 0.249, 0.2493, 0.103),
        "foot": Fractions(0.0137, 0.4415, 0.245, 0.1482, 0.124),
    },
    _HEEL,
)
DE_LEVA_FEMALE = Anthropometry(
    _DE_LEVA.format("females"),
    {
        "thigh": Fractions(0.1478, 0.3612, 0.364, 0.2124, 0.162),
        "shank": Fractions(0.0481, 0.4416, 0.267, 0.2492, 0.093),
        "foot": Fractions(0.0129, 0.4014, 0.279, 0.1316, 0.139),
    },
    _HEEL,
)
