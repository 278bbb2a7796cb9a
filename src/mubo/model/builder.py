"""The words to build a model, those of the model file: bodies, joints, drivers, forces, points and the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mubo.docstrings import documented
from mubo.elements import REVOLUTE, TRANSLATIONAL, Element, joints_of, loads_of
from mubo.errors import ModelError
from mubo.model.bodies import BodyHandle, read_body
from mubo.model.coordinates import holds_at, point_of
from mubo.model.detail_builder import DetailBuilder
from mubo.model.draft import naming
from mubo.model.laws import LawWords, driven_kind, read_law
from mubo.model.options import read_options
from mubo.model.parts import GROUND, Driver, EventDefinition, Force, Joint, Point
from mubo.model.tables import BODY, DRIVER, EVENT, INITIAL, MEASURE, POINT

DRIVER_SENTENCES = {key: text for key, text in DRIVER.sentences.items() if key != "between"}


class Builder(DetailBuilder):
    """A model that grows by the words of the model file (`body`, `joint`, `driver` …); `build` returns it frozen."""

    @property
    def ground(self) -> BodyHandle:
        """The body that never moves: name points of it for joints to refer to.

        Examples
        --------
        >>> model = mubo.Model("bench")
        >>> model.ground.point("A", (0, 0))
        """
        return BodyHandle(self, GROUND)

    @documented(BODY.sentences, name="Name of the body.", returns="The body, to name further points of it.")
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
        inertia_check: str | None = None,
    ) -> BodyHandle:
        """Adds a body. Position and angle (orientation) are estimates, which may be left out; points are in its axes.

        Of points given by `lengths` and `angles` the first is the origin, the second on the x axis, others left of the
        line between two known ones, or to its `right`. In space a body without estimates is placed by its joints.

        >>> model = mubo.Model("four bar", units={"length": "mm", "angle": "deg"})
        >>> coupler = model.body("coupler", lengths={"BC": 120, "BP": 50, "CP": "9 cm"})
        >>> model.bodies["coupler"].points["C"]
        (120.0, 0.0)
        """
        figure = {"lengths": lengths, "angles": angles, "right": right}
        placed = {key: self.vector(value) for key, value in (points or {}).items()}
        places, kept = self._place_points(placed, figure)
        fields = {"position": position, "angle": angle, "orientation": orientation, "center": center}
        fields |= {"mass": mass, "density": density, "inertia": inertia, "shape": shape, "segment": segment}
        fields |= {"added_masses": added_masses, "stiffness": stiffness, "turning_stiffness": turning_stiffness}
        fields |= {"inertia_check": inertia_check}
        with naming(f"body {name}"):
            body = read_body(self.units, self.dimension, name, places, fields, figure=kept, subject=self.subject)
        self._add("bodies", body)
        return BodyHandle(self, name)

    @documented(
        name="Name of the joint.",
        kind='Type of the joint, such as "revolute".',
        between='Points or bodies that it connects, such as "ground.A" and "crank.A".',
        options="Options of the type, as the reference of elements lists them.",
    )
    def joint(self, name: str, kind: str, *between: str, **options: Any) -> None:
        """Adds a joint of any kind of the registry: its type, what it acts on, and its options.

        >>> model = mubo.Model("train")
        >>> sun, planet = model.body("sun"), model.body("planet")
        >>> model.joint("mesh", "gears", "sun", "planet", radii=(2, 1))

        What it connects may also be one list, or stand under the key of a model file: `between=["sun", "planet"]`.
        """
        ends = _ends(f"joint {name}", joints_of(self.dimension).get(kind), between, options)
        with naming(f"joint {name}"):
            given = read_options(self.units, kind, ends, options, self.dimension)
        self._add("joints", Joint(name, kind, ends, given))

    @documented(name="Name of the joint.", ends="Points that the pin connects.", options="Further options of the type.")
    def revolute(self, name: str, *ends: str, **options: Any) -> None:
        """Adds a pin that joins two or more points, such as "ground.A" and "crank.A"; in space it has an `axis`.

        >>> model = mubo.Model("arm")
        >>> model.ground.point("A", (0, 0))
        >>> arm = model.body("arm", points={"A": (0, 0)})
        >>> model.revolute("A", "ground.A", "arm.A")
        """
        self.joint(name, REVOLUTE, *ends, **options)

    @documented(
        name="Name of the joint.",
        first="Point on the first body, through which the line goes.",
        second="Point of the second body that stays on the line.",
        axis="Direction of the line in the axes of the first body.",
        angle="Fixed relative angle, second body minus first; taken from the estimates where it is left out.",
    )
    def translational(
        self, name: str, first: str, second: str, axis: Sequence[float], angle: float | str | None = None
    ) -> None:
        """Adds a slider: the second point stays on the line through the first along `axis`.

        >>> model = mubo.Model("press")
        >>> model.ground.point("S", (0, 0))
        >>> ram = model.body("ram", points={"S": (0, 0)})
        >>> model.translational("guide", "ground.S", "ram.S", axis=(0, 1), angle=0)
        """
        self.joint(name, TRANSLATIONAL, first, second, axis=axis, **({} if angle is None else {"angle": angle}))

    @documented(DRIVER_SENTENCES, name="Name of the driver.")
    def driver(self, name: str, of: str | Sequence[str], motion: LawWords, start: str = "") -> None:
        """Adds a driver: `of` follows `motion`, which is in the model's units.

        `of` is a body coordinate "crank.phi", a joint "A" (its angle or slide), a coordinate of a point "coupler.P.x",
        or two points ("ground.N", "boom.M") whose distance is driven. With start="as drawn" the motion is added to what
        `of` is at the estimated positions.

        >>> model = mubo.load("four_bar.toml")
        >>> model.drivers.clear()
        >>> model.driver("motor", "crank.phi", {"rate": "1500 rpm"}, start="as drawn")
        >>> model.kinematics(0, "40 ms", step="10 ms")["crank.omega"].round(6)
        array([157.079633, 157.079633, 157.079633, 157.079633, 157.079633])
        """
        target = of if isinstance(of, str) else tuple(of)
        law = read_law(motion, self.units, driven_kind(self, target))
        self._add("drivers", Driver(name, target, law, start))  # type: ignore[arg-type]

    @documented(POINT.sentences, name="Name of the point.")
    def point(self, name: str, body: str, at: Sequence[float] | str) -> None:
        """Adds a point of interest on a body, `at` a place in its axes, the name of one of its points, or "center", its
        centre of mass: place, velocity and acceleration are columns of every result.

        >>> model = mubo.load("four_bar.toml")
        >>> model.point("tip", "rocker", (0, 0.3))
        >>> model.kinematics(0, 1, step=0.5)["tip.vx"].shape
        (3,)
        """
        if not isinstance(at, str):
            self._add("points", Point(name, body, self.vector(at)))
            return
        place, own = point_of(self, f"{body}.{at}")[1], at in self.bodies[body].points
        self._add("points", Point(name, body, place, centered=not own))

    @documented(
        name="Name of the load.",
        kind='Type of the load, such as "spring".',
        on="Points, bodies or the joint that it acts on.",
        options="Options of the type, as the reference of loads lists them.",
    )
    def force(self, name: str, kind: str, *on: str, **options: Any) -> None:
        """Adds a load of any kind: its type, what it acts on, and its options. Its size is a number, a law of time, or
        depends on the motion: an expression of columns, a curve over one, or a function of t and of the columns. What
        it acts on may also stand under the key of a model file: `at="coupler.B"`, `between=["ground.A", "rocker.C"]`.

        >>> model = mubo.load("four_bar.toml")
        >>> model.force("strut", "spring", "ground.A", "rocker.C", stiffness="2 N/mm", length=0.5)
        >>> model.force("push", "point_force", "coupler.B", direction=(1, 0), force="-3*coupler.vx")
        >>> model.force("curve", "body_torque", "rocker", torque={"points": [(-9, 2), (9, -2)], "over": "rocker.omega"})
        >>> model.force("any", "body_torque", "crank", torque=lambda t, state: 0.2 * state["rocker.omega"])
        """
        ends = _ends(f"force {name}", loads_of(self.dimension).get(kind), on, options)
        of = holds_at(self, ends[0]) if ends else ""
        with naming(f"force {name}"):
            given = read_options(self.units, kind, ends, options, self.dimension, "force", of)
        self._add("forces", Force(name, kind, ends, given))

    @documented(MEASURE.sentences, name="Name of the measure.")
    def measure(self, name: str, **what: Any) -> None:
        """Adds a measure, reported as the columns NAME, NAME.rate and NAME.rate2. One of these defines it:

        `distance=("chassis.S", "arm.S")`; `angle=` two bodies (second minus first), three points (at the middle one,
        from the first to the last) or four (from the direction of the first two to that of the last two);
        `of="rocker.phi"`, any column; `value="P.x - Q.x"`, an expression of columns, other measures and t.

        >>> model = mubo.load("four_bar.toml")
        >>> model.measure("turn", of="crank.phi")
        >>> model.kinematics(0, 1, step=0.5)["turn.rate"].round(4)
        array([6.2832, 6.2832, 6.2832])

        `number="max motor.effort"` is no column but one number of a whole run, which sweeps compare.
        """
        from mubo.model.measures import read_measure
        from mubo.model.objectives import read_objective

        if set(what) == {"number"}:
            self._add("objectives", read_objective(what["number"], name, self.objectives))
        else:
            self._add("measures", read_measure(name, what))

    @documented(INITIAL.sentences, name="Name of a joint or of a body.")
    def initial(
        self,
        name: str,
        q: Any = (),
        v: Any = (),
        *,
        position: Any = None,
        orientation: Any = None,
        velocity: Any = None,
        omega: Any = None,
        angle: Any = None,
    ) -> None:
        """Sets how a simulation begins: coordinates and rates of a joint, or of a body, in ground axes, as far as its
        joint allows. What is left out is as the bodies are drawn, else zero; at rest.

        >>> model = mubo.load("five_body_chain.toml")
        >>> model.initial("spin", q="30 deg", v="1 rad/s")
        >>> model.simulate(0, 0.1, step=0.1)["spin.v"][:1].round(6)
        array([1.])
        """
        from mubo.model.initial import initial_of_body, initial_of_joint

        of_body = (position, orientation, velocity, omega, angle)
        if any(given is not None for given in of_body):
            self.initial_bodies[name] = initial_of_body(self, name, *of_body)
        given = (not isinstance(values, list | tuple) or values for values in (q, v))
        if name in self.joints or name not in self.initial_bodies or any(given):
            self.initial_joints[name] = initial_of_joint(self, name, q, v)

    @documented(EVENT.sentences, name="Name of the event.", raises={"ModelError": "If the direction is none of these."})
    def event(self, name: str, of: str, value: float, direction: str = "both", stop: bool = False) -> None:
        """Looks for a joint coordinate ("A", or "A.q2"), a column or a measure to cross a value "up", "down" or in
        "both" directions in a simulation: a place, a speed, the size of a load, a reaction.

        >>> model = mubo.load("five_body_chain.toml")
        >>> model.event("closed", "spin", "90 deg", direction="up", stop=True)
        """
        from mubo.model.event_target import kind_of_value, watched_column

        if direction not in ("up", "down", "both"):
            raise ModelError(f'the direction is "up", "down" or "both"; found "{direction}"')
        reached = self.units.read(value, kind_of_value(watched_column(self, of)))
        self._add("events", EventDefinition(name, of, reached, direction, stop))


def _ends(what: str, element: Element | None, ends: Sequence[Any], options: dict[str, Any]) -> tuple[str, ...]:
    """Names of what an element acts on: texts one after the other, a list of them, or the option of their key."""
    if element is not None and not ends and element.key in options:
        ends = (options.pop(element.key),)
    if len(ends) == 1 and isinstance(ends[0], list | tuple):
        ends = ends[0]
    if not all(isinstance(end, str) for end in ends):
        raise ModelError(f'{what}: ends are texts one after the other, "ground.A", "crank.A"; found {ends!r}')
    return tuple(ends)
