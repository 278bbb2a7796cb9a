"""Free bodies, from a run's own columns: what acts on every link against what its motion needs.

Independent of how the forces were found: it knows the joints' points, the columns of reactions, efforts and loads, and
Newton's and Euler's equations.
"""

import numpy as np

GROUND = "ground"


def stack(run, owner, words):
    """Columns of an owner side by side; what is not there is zero."""
    names = [f"{owner}.{word}" for word in words]
    return np.column_stack([run[name] if name in run.columns else 0 * run["t"] for name in names])


def cross(a, b):
    """In the plane one number a row, in space three."""
    if a.shape[-1] == 2:
        return (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])[:, None]
    return np.cross(a, b)


class FreeBodies:
    """Sums of forces, and of moments about the origin, on every body at every row; `largest` is the largest force."""

    def __init__(self, model, run):
        self.model, self.run, self.dimension = model.build(), run, model.dimension
        flat = self.dimension == 2
        self.axes = "xy" if flat else "xyz"
        self.turns = ("m",) if flat else ("mx", "my", "mz")
        rows = len(run["t"])
        self.force = {name: np.zeros((rows, self.dimension)) for name in self.model.bodies}
        self.moment = {name: np.zeros((rows, len(self.turns))) for name in self.model.bodies}
        self.largest = self.reach = 0.0
        anchored = {j.between[0] for j in self.model.joints.values() if self.model.kinds[j.kind].anchors}
        self.groups = [{GROUND, *anchored}, *({name} for name in self.model.bodies if name not in {GROUND, *anchored})]
        self._reactions()
        for driver in self.model.drivers.values():
            self._along(driver.of, run[f"{driver.name}.effort"])
        for force in self.model.forces.values():
            if self.knows(force):
                getattr(self, f"_{force.kind}")(force)
        for name, body in self.model.bodies.items():
            if name != GROUND and body.weighs:
                weight = body.whole.mass * np.array(self.model.gravity)
                self._act(name, np.tile(weight, (rows, 1)), 0.0, self.center(name))

    def knows(self, force):
        """Whether the direction of such a load is written down here."""
        return hasattr(self, f"_{force.kind}")

    # places

    def rotation(self, body):
        rows = len(self.run["t"])
        if body == GROUND or f"{body}.x" not in self.run.columns:
            return np.tile(np.eye(self.dimension), (rows, 1, 1))
        if self.dimension == 2:
            phi = self.run[f"{body}.phi"] * self.model.units.angle_factor()
            c, s = np.cos(phi), np.sin(phi)
            return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], 1)
        w, x, y, z = (self.run[f"{body}.q{k}"] for k in "wxyz")
        columns = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        return np.moveaxis(np.array(columns), -1, 0)

    def turned(self, body, vector):
        return self.rotation(body) @ np.array(vector, float)

    def place(self, reference):
        body, _, point = reference.partition(".")
        return self._at(body, self.model.bodies[body].points[point])

    def _at(self, body, point):
        return stack(self.run, body, self.axes) + self.turned(body, point)

    def center(self, body):
        local = self.model.bodies[body].whole.center or (0.0,) * self.dimension
        return stack(self.run, body, self.axes) + self.turned(body, local)

    # what acts

    def _act(self, body, force, moment, at):
        self.force[body] += force
        self.moment[body] += moment + cross(at, np.broadcast_to(force, at.shape))
        self.largest = max(self.largest, float(np.max(np.abs(force), initial=0.0)))
        if body != GROUND:
            self.reach = max(self.reach, float(np.max(np.abs(at), initial=0.0)))

    def _reactions(self):
        """Where the run says that its columns act; on the other of two bodies the opposite at the same place.

        What couplings exert on a third body, the carrier of two gears, has no columns: what they join is one body here.
        """
        told = {}
        for place in self.run.record.forces.places:
            told.setdefault(place.joint, []).append(place)
        for name, places in told.items():
            joint = self.model.joints[name]
            if self.model.kinds[joint.kind].couples:
                self._join({end.split(".")[0] for end in joint.between} | {joint.options.get("carrier", GROUND)})
                continue
            for place in places:
                at = self._at(place.carrier, place.point)
                force = stack(self.run, place.owner, [f"f{k}" for k in self.axes])
                moment = stack(self.run, place.owner, self.turns)
                self._act(place.body, force, moment, at)
                if len(places) == 1:
                    self._act((*place.others, GROUND)[0], -force, -moment, at)

    def _join(self, bodies):
        joined = set().union(bodies, *(group for group in self.groups if group & bodies))
        self.groups = [*(group for group in self.groups if not group & bodies), joined]

    def _along(self, of, size):
        """An effort along a coordinate: on what has it, the opposite on what it is measured from, at the same place."""
        if not isinstance(of, str):
            return self._pull(of, size)
        size, (name, _, coordinate) = size[:, None], of.partition(".")
        if name in self.model.joints:
            joint = self.model.joints[name]
            first, second = (end.split(".")[0] for end in joint.between)
            slides, unit = self._dof(joint, first, second, int(coordinate[1:] or 1) - 1 if coordinate else 0)
            return self._between(second, first, slides, size * unit, self.place(joint.between[1]))
        if name in self.model.points:
            body, at = self.model.points[name].body, self._at(self.model.points[name].body, self.model.points[name].at)
        else:
            point = coordinate.rpartition(".")[0]
            body, at = name, self.place(f"{name}.{point}") if point else stack(self.run, name, self.axes)
        slides, axis = not coordinate.endswith("phi"), coordinate[-1]
        return self._between(
            body, GROUND, slides, size * (np.eye(self.dimension)["xyz".index(axis)] if slides else 1), at
        )

    def _between(self, body, other, slides, effort, at):
        for name, sign in ((body, 1), (other, -1)):
            self._act(name, sign * effort if slides else 0.0, 0.0 if slides else sign * effort, at)

    def _dof(self, joint, first, second, number):
        """Whether a degree of freedom of a joint slides, and its direction: z along the axis, x and y as its options
        say."""
        word, letter = self.model.kinds[joint.kind].dofs[number].split()[0], ""
        if self.dimension == 3:
            letter = self.model.kinds[joint.kind].dofs[number].split()[1]
        options = joint.options
        if word == "turn" and self.dimension == 2:
            return False, 1.0
        if "axes" in options:
            body, direction = ((first, options["axes"][0]), (second, options["axes"][1]))["xy".index(letter)]
        else:
            axis = np.array(options["axis"], float)
            along = np.array(options.get("along", (0, 0, 0)), float)
            body, direction = first, {"x": along, "y": np.cross(axis, along) if len(axis) == 3 else 0}.get(letter, axis)
        return word == "slide", self.turned(body, np.array(direction) / np.linalg.norm(direction))

    def _pull(self, ends, push):
        """A force that pushes two points apart."""
        first, second = map(self.place, ends)
        unit = (second - first) / np.linalg.norm(second - first, axis=1)[:, None]
        for end, at, sign in ((ends[1], second, 1), (ends[0], first, -1)):
            self._act(end.split(".")[0], sign * push[:, None] * unit, 0.0, at)

    def _direction(self, force, body):
        unit = np.array(force.options["direction"], float)
        unit = unit / np.linalg.norm(unit)
        return self.turned(body if force.options.get("axes", "ground") != "ground" else GROUND, unit)

    def _point_force(self, force):
        body = force.on[0].split(".")[0]
        size = self.run[f"{force.name}.force"][:, None]
        self._act(body, size * self._direction(force, body), 0.0, self.place(force.on[0]))

    def _body_torque(self, force):
        size = self.run[f"{force.name}.torque"][:, None]
        unit = 1.0 if self.dimension == 2 else self._direction(force, force.on[0])
        self._act(force.on[0], 0.0, size * unit, 0 * self.center(force.on[0]))

    def _torque_between(self, force):
        size = self.run[f"{force.name}.torque"][:, None]
        first, second = force.on
        turns_with = second if force.options.get("axes") == "second" else first
        unit = 1.0 if self.dimension == 2 else self.turned(turns_with, force.options["direction"])
        for body, sign in ((second, 1), (first, -1)):
            self._act(body, 0.0, sign * size * unit, np.zeros_like(self.force[body]))

    def _spring(self, force):
        """Tension is positive: it pulls the points together."""
        self._pull(force.on, -self.run[f"{force.name}.force"])

    _cubic_spring = _spring

    def _joint_spring(self, force):
        name = force.name
        self._along(
            force.on[0], self.run[f"{name}.torque" if f"{name}.torque" in self.run.columns else f"{name}.force"]
        )

    _joint_effort = _joint_spring

    # Newton and Euler

    def inertial(self, body):
        """m a of the centre of mass, and the rate of the moment of momentum about the ground's origin."""
        whole, run = self.model.bodies[body].whole, self.run
        flat = self.dimension == 2
        factor = self.model.units.angle_factor()
        arm = self.center(body) - stack(run, body, self.axes)
        a = stack(run, body, [f"a{k}" for k in self.axes])
        if flat:
            omega, alpha = run[f"{body}.omega"][:, None] * factor, run[f"{body}.alpha"][:, None] * factor
            a = a + alpha * np.column_stack([-arm[:, 1], arm[:, 0]]) - omega**2 * arm
            spin = (whole.inertia or (0.0,))[0] * alpha
        else:
            omega, alpha = (factor * stack(run, body, [f"{w}{k}" for k in "xyz"]) for w in ("w", "alpha"))
            a = a + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
            xx, yy, zz, xy, xz, yz = whole.inertia or (0.0,) * 6
            R = self.rotation(body)
            tensor = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ np.swapaxes(R, 1, 2)
            spin = np.einsum("tij,tj->ti", tensor, alpha)
            spin += np.cross(omega, np.einsum("tij,tj->ti", tensor, omega))
        force = (whole.mass or 0.0) * a
        return force, spin + cross(self.center(body), force)

    def residual(self):
        """The largest of all sums, as a part of the largest force; moments by force times reach."""
        worst = 0.0
        for group in self.groups:
            if GROUND not in group:
                needed = [self.inertial(body) for body in group]
                force = sum(self.force[body] for body in group) - sum(f for f, _ in needed)
                moment = sum(self.moment[body] for body in group) - sum(m for _, m in needed)
                worst = max(worst, float(np.max(np.abs(force))), float(np.max(np.abs(moment))) / self.reach)
        return worst / self.largest

    def on_ground(self):
        """All that the linkage exerts on the ground, with the moment about the origin."""
        return self.force[GROUND], self.moment[GROUND]

    def driver_power(self):
        return sum(self.run[f"{d}.power"] for d in self.model.drivers)

    def needed_power(self):
        """Rate of the kinetic energy less the power of weights: Σ (m a − m g)·v + (I α + ω × I ω)·ω."""
        total, factor = 0.0, self.model.units.angle_factor()
        for body, written in self.model.bodies.items():
            if body == GROUND or not written.weighs:
                continue
            force, moment = self.inertial(body)
            weight = written.whole.mass * np.array(self.model.gravity)
            force, moment = force - weight, moment - cross(self.center(body), np.tile(weight, (len(force), 1)))
            v, at = stack(self.run, body, [f"v{k}" for k in self.axes]), stack(self.run, body, self.axes)
            omega = factor * stack(self.run, body, ("omega",) if self.dimension == 2 else ("wx", "wy", "wz"))
            total = total + np.sum(force * v, axis=1) + np.sum((moment - cross(at, force)) * omega, axis=1)
        return total
