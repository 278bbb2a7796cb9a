"""The words to build a model: bodies, joints, drivers, forces and points, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from mubo.elements.plane.joints.revolute import REVOLUTE
from mubo.elements.plane.joints.translational import TRANSLATIONAL
from mubo.errors import ModelError
from mubo.model.bodies import read_body
from mubo.model.builder_base import naming
from mubo.model.builder_initial import Beginning
from mubo.model.coordinates import holds_at
from mubo.model.definition import PARTS, ModelDefinition, ground_of
from mubo.model.geometry_from_lengths import kept_figure, with_figure
from mubo.model.handle import BodyHandle
from mubo.model.laws import LawWords, driven_kind, read_law
from mubo.model.measures import read_measure
from mubo.model.objectives import read_objective
from mubo.model.options import read_options, read_vector
from mubo.model.parts import GROUND, Driver, Force, Joint, Point, Vector
from mubo.model.targets import point_of
from mubo.quantities.units import Units


class Builder(Beginning):
    """A model that grows. `build` answers it frozen, as it is at that moment."""

    def __init__(
        self,
        name: str = "mechanism",
        units: Units | Mapping[str, str] | None = None,
        dimension: int = 2,
        gravity: Sequence[float] | None = None,
    ) -> None:
        if dimension not in (2, 3):
            raise ModelError(f"the dimension is 2 or 3; found {dimension!r}")
        self.name = name
        self.units = units if isinstance(units, Units) else Units.declare(units or {})
        self.dimension = dimension
        self.gravity = None if gravity is None else read_vector(self.units, gravity, "length/time^2", dimension)
        self.bodies = {GROUND: ground_of(dimension)}
        self.joints = {}
        self.drivers = {}
        self.points = {}
        self.forces = {}
        self.measures = {}
        self.initial = {}
        self.initial_bodies = {}
        self.events = {}
        self.objectives = {}
        self._begin_details()
        self.analysis = None
        self.optimization = None
        self.origin = None
        self.source = ""  # the file it came from, for messages
        self._built = None

    @classmethod
    def of(cls, model: ModelDefinition) -> Self:
        """A builder that begins where a frozen model stands.

        >>> frozen = mubo.load("four_bar.toml").build()
        >>> mubo.Model.of(frozen) == mubo.load("four_bar.toml")
        True
        """
        new = cls(model.name, model.units, model.dimension, model.gravity)
        for part in PARTS:
            setattr(new, part, dict(getattr(model, part)))
        new.subject, new.analysis, new.optimization = model.subject, model.analysis, model.optimization
        new.origin = model.origin
        new.source, new._built = model.source, model
        return new

    @property
    def ground(self) -> BodyHandle:
        """The body that never moves: name points of it for joints to refer to.

        >>> model = mubo.Model("bench")
        >>> model.ground.point("A", (0, 0))
        """
        return BodyHandle(self, GROUND)

    def body(
        self,
        name: str,
        position: Sequence[float] | None = None,
        angle: float | str = 0.0,
        points: Mapping[str, Sequence[float]] | None = None,
        *,
        lengths: Mapping[str, float | str] | None = None,
        angles: Mapping[str, float | str] | None = None,
        right: Sequence[str] = (),
        orientation: Any = None,
        mass: float | None = None,
        density: float | None = None,
        inertia: Any = None,
        center: Sequence[float] | None = None,
        shape: Mapping[str, Any] | None = None,
        added_masses: Mapping[str, float] | None = None,
        stiffness: float | str | None = None,
        turning_stiffness: float | str | None = None,
        segment: str | Mapping[str, Any] | None = None,
    ) -> BodyHandle:
        """Adds a body. Position and angle (orientation) are estimates, which may be left out; points are in its axes.

        Points may be given by `lengths` between them and `angles` at corners instead of coordinates: the first is the
        origin, the second on the x axis, others left of the way between two known ones, or to its `right`. In space,
        a body without estimates is placed by its joints. Inertia is about the centre of mass, `center`; both follow
        from a `shape`, the mass from `density`: in the plane {"kind": "bar", "between": ["A", "B"]}, "plate" (the hull
        of points) or "disc"; or from a `segment`, "thigh", of the subject. `added_masses` are at points; `stiffness`
        divides loads among redundant joints.

        >>> model = mubo.Model("four bar", units={"length": "mm", "angle": "deg"})
        >>> coupler = model.body("coupler", lengths={"BC": 120, "BP": 50, "CP": "9 cm"})
        >>> model.bodies["coupler"].points["C"]
        (120.0, 0.0)
        """
        figure = {"lengths": lengths, "angles": angles, "right": right}
        places = with_figure(self.units, self.dimension, _each(self.vector, points), figure)
        fields = {"position": position, "angle": angle, "orientation": orientation, "center": center}
        fields |= {"mass": mass, "density": density, "inertia": inertia, "shape": shape, "segment": segment}
        fields |= {"added_masses": added_masses, "stiffness": stiffness, "turning_stiffness": turning_stiffness}
        kept = kept_figure(self.units, figure, points or ())
        with naming(f"body {name}"):
            body = read_body(self.units, self.dimension, name, places, fields, figure=kept, subject=self.subject)
        self._add(self.bodies, body)
        return BodyHandle(self, name)

    def joint(self, name: str, kind: str, *between: str, **options: Any) -> None:
        """Adds a joint of any kind of the registry: its type, what it acts on, and its options.

        >>> model = mubo.Model("train")
        >>> sun, planet = model.body("sun"), model.body("planet")
        >>> model.joint("mesh", "gears", "sun", "planet", radii=(2, 1))
        """
        _require_texts(f"joint {name}", between)
        with naming(f"joint {name}"):
            given = read_options(self.units, kind, between, options, self.dimension)
        self._add(self.joints, Joint(name, kind, between, given))

    def revolute(self, name: str, *ends: str, **options: Any) -> None:
        """Adds a pin that joins two or more points, such as "ground.A" and "crank.A"; in space it has an `axis`.

        >>> model = mubo.Model("arm")
        >>> model.ground.point("A", (0, 0))
        >>> arm = model.body("arm", points={"A": (0, 0)})
        >>> model.revolute("A", "ground.A", "arm.A")
        """
        self.joint(name, REVOLUTE.name, *ends, **options)

    def translational(
        self, name: str, first: str, second: str, axis: Sequence[float], angle: float | str | None = None
    ) -> None:
        """Adds a slider: the second point stays on the line through the first along `axis`.

        >>> model = mubo.Model("press")
        >>> model.ground.point("S", (0, 0))
        >>> ram = model.body("ram", points={"S": (0, 0)})
        >>> model.translational("guide", "ground.S", "ram.S", axis=(0, 1), angle=0)
        """
        given = {} if angle is None else {"angle": angle}
        self.joint(name, TRANSLATIONAL.name, first, second, axis=axis, **given)

    def drive(self, name: str, of: str | Sequence[str], motion: LawWords, start: str = "") -> None:
        """Adds a driver: `of` follows `motion`, which is in the model's units.

        `of` is a body coordinate "crank.phi", a joint "A" (its angle or slide), a coordinate of a point "coupler.P.x",
        or two points ("ground.N", "boom.M") whose distance is driven. With start="as drawn" the motion is added to what
        `of` is at the estimated positions.

        >>> model = mubo.load("four_bar.toml")
        >>> model.drivers.clear()
        >>> model.drive("motor", "crank.phi", {"rate": "1500 rpm"}, start="as drawn")
        >>> model.kinematics(0, "40 ms", step="10 ms")["crank.omega"].round(6)
        array([157.079633, 157.079633, 157.079633, 157.079633, 157.079633])
        """
        target = of if isinstance(of, str) else tuple(of)
        law = read_law(motion, self.units, driven_kind(self, target))
        self._add(self.drivers, Driver(name, target, law, start))  # type: ignore[arg-type]

    def point(self, name: str, body: str, at: Sequence[float] | str) -> None:
        """Adds a point of interest on a body, `at` a place in its axes or the name of one of its points: place,
        velocity and acceleration are columns of every result.

        >>> model = mubo.load("four_bar.toml")
        >>> model.point("tip", "rocker", (0, 0.3))
        >>> model.kinematics(0, 1, step=0.5)["tip.vx"].shape
        (3,)
        """
        place = point_of(self, f"{body}.{at}")[1] if isinstance(at, str) else self.vector(at)
        self._add(self.points, Point(name, body, place))

    def force(self, name: str, kind: str, *on: str, **options: Any) -> None:
        """Adds a load of any kind: its type, what it acts on, and its options. Its size is a number, a law of time, or
        depends on the motion: an expression of columns, a curve over one, or a function of t and of the columns.

        >>> model = mubo.load("four_bar.toml")
        >>> model.force("strut", "spring", "ground.A", "rocker.C", stiffness="2 N/mm", length=0.5)
        >>> model.force("push", "point_force", "coupler.B", direction=(1, 0), force="-3*coupler.vx")
        >>> model.force("curve", "body_torque", "rocker", torque={"points": [(-9, 2), (9, -2)], "over": "rocker.omega"})
        >>> model.force("any", "body_torque", "crank", torque=lambda t, state: 0.2 * state["rocker.omega"])
        """
        _require_texts(f"force {name}", on)
        of = holds_at(self, on[0]) if on else ""
        with naming(f"force {name}"):
            given = read_options(self.units, kind, on, options, self.dimension, "force", of)
        self._add(self.forces, Force(name, kind, on, given))

    def measure(self, name: str, **what: Any) -> None:
        """Adds a measure, told as the columns NAME, NAME.rate and NAME.rate2. One of these says what is measured:

        `distance=("chassis.S", "arm.S")`; `angle=` two bodies (second minus first), three points (at the middle one,
        from the first to the last) or four (from the direction of the first two to that of the last two);
        `of="rocker.phi"`, any column; `value="P.x - Q.x"`, an expression of columns, other measures and t.

        >>> model = mubo.load("four_bar.toml")
        >>> model.measure("turn", of="crank.phi")
        >>> model.kinematics(0, 1, step=0.5)["turn.rate"].round(4)
        array([6.2832, 6.2832, 6.2832])

        `number="max motor.effort"` is no column but one number of a whole run, which sweeps compare.
        """
        if set(what) == {"number"}:
            self._add(self.objectives, read_objective(what["number"], name))
        else:
            self._add(self.measures, read_measure(name, what))

    def replace(self, what: str = "", value: Any = None, /, **parameters: Any) -> Self:
        """Another model with one thing changed: "coupler.B" (a point of a body), a point of interest, an option; or
        with other values of parameters, which every number made of them follows.

        >>> model = mubo.load("four_bar.toml")
        >>> model.replace("coupler.B", (-2.1, 0)).bodies["coupler"].points["B"]
        (-2.1, 0.0)
        """
        return type(self).of(self.build().replace(what, value, **parameters))

    def copy(self) -> Self:
        """The same parts in another builder: to try something without touching this one.

        >>> mubo.load("four_bar.toml").copy().name
        'four bar'
        """
        return type(self).of(self.build())


def _each(read: Callable[[Any], Vector], points: Mapping[str, Any] | None) -> dict[str, Vector]:
    return {key: read(value) for key, value in (points or {}).items()}


def _require_texts(what: str, ends: Sequence[Any]) -> None:
    if not all(isinstance(end, str) for end in ends):
        raise ModelError(f'{what}: ends are texts one after the other, "ground.A", "crank.A"; found {ends!r}')
