"""Mass and inertia of a body as users write them, checked to be possible."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.errors import ModelError
from mubo.quantities.units import Units

if TYPE_CHECKING:
    from mubo.geometry.flat_shapes import Solid


INERTIA = "mass*length^2"
VOLUMES = (
    "cylinder, tube, box or sphere; in the plane a bar with width and thickness, plate, disc or link with thickness"
)
DENSEST = 1e6  # kg/m³: osmium has 22,590, so that beyond it the unit is another than meant
LAMINA = 1e-9  # of the largest principal inertia: a lamina meets the triangle inequality with equality


def read_mass(units: Units, value: Any) -> float:
    """The mass given."""
    mass = units.read(value, "mass")
    if mass < 0:
        raise ModelError(f"the mass cannot be negative; found {value}")
    return mass


def read_density(units: Units, given: Mapping[str, Any]) -> float | None:
    """The density given, from which the mass of a shape follows; None where there is none."""
    if given.get("density") is None:
        return None
    if given.get("mass") is not None:
        raise ModelError('give "mass" or "density", one of them')
    if given.get("shape") is None:
        raise ModelError(f"a density needs a shape with a volume: {VOLUMES}")
    return density_of(units, given["density"])


def density_of(units: Units, value: Any) -> float:
    """A density, in the model's unit where it is a plain number; refuses one that no material has."""
    density = units.read(value, "mass/length^3")
    if not density > 0:
        raise ModelError(f"the density must be positive; found {value}")
    heavy = density * units.size("mass") / units.size("length") ** 3
    if units.unit_of("length") and heavy > DENSEST:
        raise ModelError(
            f"the density {value} is {heavy:.4g} kg/m^3, more than any material has: a plain number is in "
            f"{units.unit_of('mass/length^3')}",
            suggestion='Write it with its unit, such as "7850 kg/m^3".',
        )
    return density


def read_inertia(units: Units, value: Any, dimension: int, check: str = "refuse") -> tuple[float, ...]:
    """In the plane one number; in space xx, yy, zz (and xy, xz, yz), or three lines of three, about the centre of mass.

    Products are elements of the tensor: xy = −∫ x y dm. `check` is what becomes of one that no body has.
    """
    from mubo.laws.dependent import array_of

    value = value.tolist() if hasattr(value, "tolist") else value
    if dimension == 2:
        moment = units.read(value, INERTIA)
        if moment < 0:
            raise ModelError(f"the inertia cannot be negative; found {value}")
        return (moment,)
    form = "three numbers [xx, yy, zz], six with [.., xy, xz, yz], or three lines of three"
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) not in (3, 6):
        raise ModelError(f"the inertia is {form}; found {value!r}")
    if isinstance(value[0], Sequence) and not isinstance(value[0], str):
        if any(isinstance(line, str) or not isinstance(line, Sequence) or len(line) != 3 for line in value):
            raise ModelError(f"the inertia is {form}")
        tensor = array_of([units.read(v, INERTIA) for v in line] for line in value)
    else:
        numbers = [units.read(v, INERTIA) for v in value] + [0.0] * (6 - len(value))
        tensor = tensor_of(numbers)
    return elements_of(checked_inertia(tensor, check))


def with_shape(
    solid: Solid,
    mass: float | None,
    density: float | None,
    center: Sequence[float],
    inertia: Sequence[float] | None,
) -> dict[str, Any]:
    """Mass, centre and inertia of a body with a shape: what is given stands, the rest follows from the solid.

    A centre of mass beside that of the shape has the inertia of no such solid: then the inertia must be given too.
    """
    if density is not None:
        if solid.volume is None:
            raise ModelError(f"a density needs a shape with a volume: {VOLUMES}")
        mass = density * solid.volume
    if inertia is None and center and solid.center is not None:
        off = math.dist(center, solid.center)
        if off > LAMINA * max(math.sqrt(solid.inertia[0]), math.hypot(*solid.center)):
            raise ModelError(
                f"the centre of mass given is {off:.4g} away from that of the shape, so the inertia does not follow "
                'from it: leave out "center", or give "inertia" as well'
            )
    if inertia is None and mass is not None:
        inertia = tuple(mass * x for x in solid.inertia)
    return {"mass": mass, "center": tuple(center) or solid.center or (), "inertia": inertia}


def with_points(
    mass: float | None,
    center: Sequence[float],
    inertia: Sequence[float] | None,
    added: Sequence[tuple[float, Sequence[float]]],
) -> dict[str, Any]:
    """Mass, centre and inertia of a body with point masses m_k at s_k: about the common centre of mass c each part adds
    m (|d|² 1 − d dᵀ), in the plane m |d|², with d from c to the part (Huygens, Steiner).

    Inertia that is missed is not guessed: it stays None where the body has mass and gives no inertia.
    """
    from mubo.laws.dependent import kept

    dimension = len(added[0][1])
    parts = [(mass or 0.0, [*(center or (0.0,) * dimension)]), *((m, [*at]) for m, at in added)]
    total = sum(m for m, _ in parts)
    middle = [sum(m * at[k] for m, at in parts) / total if total > 0 else parts[0][1][k] for k in range(dimension)]
    out: dict[str, Any] = {"mass": kept(total), "center": tuple(kept(x) for x in middle)}
    if inertia is None and mass:
        return out
    arms = [(m, [x - c for x, c in zip(at, middle, strict=True)]) for m, at in parts]
    own = inertia or (0.0,) * (1 if dimension == 2 else 6)
    places = ELEMENTS[2:3] if dimension == 2 else ELEMENTS  # in the plane about z
    return out | {
        "inertia": tuple(
            kept(x + sum(m * _steiner(d, *at) for m, d in arms)) for x, at in zip(own, places, strict=True)
        )
    }


ELEMENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def _steiner(d: Sequence[float], i: int, j: int) -> float:
    """An element of |d|² 1 − d dᵀ; of plain numbers, because NumPy's drop what depends on parameters."""
    return sum(x * x for k, x in enumerate(d) if k != i) if i == j else -d[i] * d[j]


def elements_of(tensor: np.ndarray) -> tuple[float, ...]:
    """xx, yy, zz, xy, xz, yz of a tensor."""
    from mubo.laws.dependent import kept

    return tuple(kept(tensor[i, j]) for i, j in ELEMENTS)


def read_added(units: Units, given: Any) -> dict[str, float]:
    """Masses by the names of the points that they sit on: { tip = 0.5 }."""
    if not isinstance(given, Mapping):
        raise ModelError(f"added masses are a table of points: {{ tip = 0.5 }}; found {given!r}")
    masses = {str(point): units.read(mass, "mass") for point, mass in given.items()}
    for point, mass in masses.items():
        if not mass > 0:
            raise ModelError(f"the mass added at {point} must be positive; found {given[point]}")
    return masses


def tensor_of(inertia: Sequence[float]) -> np.ndarray:
    """The 3×3 tensor of xx, yy, zz, xy, xz, yz."""
    from mubo.laws.dependent import array_of

    xx, yy, zz, xy, xz, yz = inertia
    return array_of([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def require_possible(tensor: np.ndarray) -> None:
    """Symmetric, not negative, and no principal moment larger than the sum of the other two."""
    if problem := inertia_problem(tensor):
        raise ModelError(problem)


def inertia_problem(tensor: np.ndarray) -> str:
    """Why no body has this inertia tensor; empty where one has."""
    tensor = np.asarray(tensor, float)
    size = float(np.max(np.abs(tensor), initial=0.0))
    if np.max(np.abs(tensor - tensor.T)) > LAMINA * size:
        return "the inertia tensor is not symmetric"
    a, b, c = np.sort(np.linalg.eigvalsh(tensor))
    if a < -LAMINA * size:
        return f"the inertia tensor has a negative principal moment: {a:g}"
    if c > a + b + LAMINA * size:
        return (
            f"no body has the principal inertias {a:g}, {b:g}, {c:g}: the largest exceeds the sum of the other two "
            f"by {c - a - b:.3g}"
        )
    return ""


def possible_inertia(tensor: np.ndarray) -> np.ndarray:
    """The inertia tensor of a body next to one that no body has: I = tr(J) 1 − J with negative principal second moments
    of mass J = ½ tr(I) 1 − I set to zero.

    Source: Wensing, Kim and Slotine, Linear matrix inequalities for physically consistent inertial parameter
    identification (2018), doi 10.1109/LRA.2017.2729659.
    """
    tensor = 0.5 * (np.asarray(tensor, float) + np.asarray(tensor, float).T)
    moments, axes = np.linalg.eigh(0.5 * np.trace(tensor) * np.eye(3) - tensor)
    second = (axes * np.maximum(moments, 0.0)) @ axes.T
    return np.asarray(np.trace(second) * np.eye(3) - second)


INERTIA_CHECKS = ("refuse", "note", "mend")


def checked_inertia(tensor: np.ndarray, check: str) -> np.ndarray:
    """The tensor as `check` says where no body has it: refused, as given ("note"), or the one next to it ("mend")."""
    if check == "refuse":
        require_possible(tensor)
    return possible_inertia(tensor) if check == "mend" and inertia_problem(tensor) else tensor
