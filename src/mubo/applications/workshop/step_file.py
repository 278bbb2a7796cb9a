"""A STEP file of prisms: boundary representations of planes and cylinders, of lines and circles.

Sources: ISO 10303-21 (the form of the file), ISO 10303-42 (geometry and topology), ISO 10303-214 (AUTOMOTIVE_DESIGN).
A prism has a bottom, a top, and a face on every side of its contours: a plane on a line, a cylinder on an arc. The
material lies to the left of a contour, so that the first one goes counter-clockwise and those of holes clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.arrays import Array
from mubo.geometry.contours import Contour, arc_of
from mubo.lazy_dataclass import dataclass

UP = (0.0, 0.0, 1.0)
ACCURACY = 1e-7  # mm: places that are nearer are one
UNITS = (
    "(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))",
    "(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))",
    "(NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT())",
)


@dataclass(frozen=True)
class PrismWall:
    """Edges and face on one side of a contour, with the vertical edge at its start."""

    bottom: str
    top: str
    rise: str
    surface: str
    outward: bool  # whether the normal of the surface points away from the material


class StepFile:
    """A STEP file that is written entity by entity."""

    def __init__(self, name: str) -> None:
        self._lines: list[str] = []
        self._name = name
        self._application = self._add("APPLICATION_CONTEXT('core data for automotive mechanical design processes')")
        self._add(
            f"APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,{self._application})"
        )
        length, angle, solid = (self._add(unit) for unit in UNITS)
        near = f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE({_real(ACCURACY)}),{length},'accuracy','')"
        self._context = self._add(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3) "
            f"GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({self._add(near)})) "
            f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({length},{angle},{solid})) REPRESENTATION_CONTEXT('','3D'))"
        )

    @property
    def text(self) -> str:
        """The whole file."""
        head = [
            "ISO-10303-21;",
            "HEADER;",
            f"FILE_DESCRIPTION(({_text('plates of ' + self._name)}),'2;1');",
            f"FILE_NAME({_text(self._name)},'',(''),(''),'mubo','mubo','');",
            "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));",
            "ENDSEC;",
            "DATA;",
        ]
        return "\n".join([*head, *self._lines, "ENDSEC;", "END-ISO-10303-21;", ""])

    def add_prism(self, name: str, rings: Sequence[Contour], bottom: float, height: float) -> None:
        """Adds a product whose shape is a prism on contours."""
        sides = [self._sides(ring, bottom, height) for ring in rings]
        faces = [
            self._face(part.surface, [self._walk(ring, k)], part.outward)
            for ring in sides
            for k, part in enumerate(ring)
        ]
        top = [[(side.top, True) for side in ring] for ring in sides]
        under = [[(side.bottom, False) for side in reversed(ring)] for ring in sides]
        for walks, up, z in ((top, 1.0, bottom + height), (under, -1.0, bottom)):
            plane = self._add(f"PLANE('',{self._axes((0.0, 0.0, z), (0.0, 0.0, up), (1.0, 0.0, 0.0))})")
            faces.append(self._face(plane, walks, True))
        shell = self._add(f"CLOSED_SHELL('',({','.join(faces)}))")
        solid = self._add(f"MANIFOLD_SOLID_BREP({_text(name)},{shell})")
        frame = self._axes((0.0, 0.0, 0.0), UP, (1.0, 0.0, 0.0))
        shape = self._add(f"ADVANCED_BREP_SHAPE_REPRESENTATION({_text(name)},({frame},{solid}),{self._context})")
        self._product(name, shape)

    def _product(self, name: str, shape: str) -> None:
        context = self._add(f"PRODUCT_CONTEXT('',{self._application},'mechanical')")
        product = self._add(f"PRODUCT({_text(name)},{_text(name)},'',({context}))")
        self._add(f"PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,({product}))")
        formation = self._add(f"PRODUCT_DEFINITION_FORMATION('','',{product})")
        stage = self._add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{self._application},'design')")
        definition = self._add(f"PRODUCT_DEFINITION('design','',{formation},{stage})")
        of = self._add(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
        self._add(f"SHAPE_DEFINITION_REPRESENTATION({of},{shape})")

    def _sides(self, ring: Contour, bottom: float, height: float) -> list[PrismWall]:
        """The edges and surfaces on every side of a contour."""
        low = [self._vertex((*place, bottom)) for place in ring.vertices]
        high = [self._vertex((*place, bottom + height)) for place in ring.vertices]
        out = []
        for k, (one, two, bulge) in enumerate(ring.sides):
            after = (k + 1) % len(low)
            curves = [self._curve(one, two, bulge, z) for z in (bottom, bottom + height)]
            under, over = (
                self._edge(ends[k], ends[after], curve) for ends, curve in zip((low, high), curves, strict=True)
            )
            rise = self._edge(low[k], high[k], self._line((*one, bottom), UP))
            out.append(PrismWall(under, over, rise, *self._surface(one, two, bulge, bottom)))
        return out

    def _curve(self, one: Array, two: Array, bulge: float, z: float) -> str:
        """A line, or a circle whose axis makes it go from the first place to the second."""
        if not bulge:
            along = (two - one) / np.linalg.norm(two - one)
            return self._line((*one, z), (*along, 0.0))
        arc = arc_of(one, two, bulge)
        axes = self._axes((*arc.center, z), (0.0, 0.0, float(np.sign(bulge))), (1.0, 0.0, 0.0))
        return self._add(f"CIRCLE('',{axes},{_real(arc.radius)})")

    def _surface(self, one: Array, two: Array, bulge: float, z: float) -> tuple[str, bool]:
        """A plane with its normal to the right of the side, or a cylinder."""
        if bulge:
            arc = arc_of(one, two, bulge)
            axes = self._axes((*arc.center, z), UP, (1.0, 0.0, 0.0))
            return self._add(f"CYLINDRICAL_SURFACE('',{axes},{_real(arc.radius)})"), bulge > 0
        x, y = (two - one) / np.linalg.norm(two - one)
        return self._add(f"PLANE('',{self._axes((*one, z), (y, -x, 0.0), (x, y, 0.0))})"), True

    def _walk(self, ring: Sequence[PrismWall], k: int) -> list[tuple[str, bool]]:
        """Around a side face: along the bottom, up, back along the top, down."""
        side, after = ring[k], ring[(k + 1) % len(ring)]
        return [(side.bottom, True), (after.rise, True), (side.top, False), (side.rise, False)]

    def _face(self, surface: str, walks: Sequence[Sequence[tuple[str, bool]]], outward: bool) -> str:
        bounds = []
        for number, walk in enumerate(walks):
            edges = [self._add(f"ORIENTED_EDGE('',*,*,{edge},{_flag(along)})") for edge, along in walk]
            loop = self._add(f"EDGE_LOOP('',({','.join(edges)}))")
            bounds.append(self._add(f"FACE_{'BOUND' if number else 'OUTER_BOUND'}('',{loop},.T.)"))
        return self._add(f"ADVANCED_FACE('',({','.join(bounds)}),{surface},{_flag(outward)})")

    def _edge(self, one: str, two: str, curve: str) -> str:
        return self._add(f"EDGE_CURVE('',{one},{two},{curve},.T.)")

    def _line(self, at: Sequence[float], along: Sequence[float]) -> str:
        vector = self._add(f"VECTOR('',{self._direction(along)},1.)")
        return self._add(f"LINE('',{self._point(at)},{vector})")

    def _axes(self, at: Sequence[float], z: Sequence[float], x: Sequence[float]) -> str:
        places = f"{self._point(at)},{self._direction(z)},{self._direction(x)}"
        return self._add(f"AXIS2_PLACEMENT_3D('',{places})")

    def _vertex(self, at: Sequence[float]) -> str:
        return self._add(f"VERTEX_POINT('',{self._point(at)})")

    def _point(self, at: Sequence[float]) -> str:
        return self._add(f"CARTESIAN_POINT('',({','.join(map(_real, at))}))")

    def _direction(self, along: Sequence[float]) -> str:
        return self._add(f"DIRECTION('',({','.join(map(_real, along))}))")

    def _add(self, entity: str) -> str:
        number = f"#{len(self._lines) + 1}"
        self._lines.append(f"{number}={entity};")
        return number


def _real(value: float) -> str:
    """A number as STEP writes it: with a point, before the exponent too.

    >>> _real(1e-07), _real(-2.0)
    ('1.E-07', '-2.')
    """
    mantissa, mark, exponent = repr(float(value)).partition("e")
    mantissa = mantissa.removesuffix("0") if mantissa.endswith(".0") else mantissa
    return f"{mantissa if '.' in mantissa else mantissa + '.'}{mark.upper()}{exponent}"


def _flag(value: bool) -> str:
    return ".T." if value else ".F."


def _text(words: str) -> str:
    """A text in quotes; letters beyond ASCII by their numbers."""
    plain = words.replace("\\", "\\\\").replace("'", "''")
    return "'" + "".join(x if x.isascii() else f"\\X4\\{ord(x):08X}\\X0\\" for x in plain) + "'"
