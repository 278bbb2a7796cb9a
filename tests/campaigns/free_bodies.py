"""Newton's and Euler's equations of the bodies of a simulated run, with the forces of joints and drivers as unknowns.

What is left over by the best forces that the joints can exert tells how wrong the accelerations are. It knows the
columns of bodies, the points and axes of the model, and of every joint which forces and moments it can exert.
"""

import numpy as np

# What a joint exerts: its force in all directions, square to its axis, along it, along the line of its points; and its
# moment likewise; "thread": a force along the axis with the moment that belongs to it.
EXERTS = {
    "revolute": ("all", "square"),
    "prismatic": ("square", "all"),
    "translational": ("square", "all"),
    "cylindrical": ("square", "square"),
    "screw": ("thread", "square"),
    "universal": ("all", "cross"),
    "spherical": ("all", "none"),
    "planar": ("along", "square"),
    "point_on_line": ("square", "none"),
    "distance": ("line", "none"),
}


def skew(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def square_to(axis):
    """Two unit vectors square to a unit vector, as rows."""
    return np.linalg.svd(axis[None])[2][1:]


class Row:
    """The bodies at one row, in three dimensions also where the model has two."""

    def __init__(self, model, run, row):
        self.model, self.run, self.row, self.flat = model, run, row, model.dimension == 2
        self.number = {name: k for k, name in enumerate(n for n in model.bodies if n != "ground")}
        self.given = np.zeros(6 * len(self.number))
        self.forces = []  # columns of unknowns

    def three(self, vector):
        return np.array([*vector, 0.0], float) if self.flat and len(vector) == 2 else np.array(vector, float)

    def column(self, name):
        return float(self.run[name][self.row])

    def columns(self, body, words):
        if body == "ground":
            return np.zeros(3)
        return self.three([self.column(f"{body}.{word}") for word in words])

    def origin(self, body, before="", after=("x", "y", "z")):
        return self.columns(body, [before + letter for letter in after[: self.model.dimension]])

    def spin(self, body, letter):
        if body == "ground":
            return np.zeros(3)
        if self.flat:
            return np.array([0, 0, self.column(f"{body}.{'omega' if letter == 'w' else 'alpha'}")])
        return self.columns(body, [("w" if letter == "w" else "alpha") + axis for axis in "xyz"])

    def rotation(self, body):
        if body == "ground":
            return np.eye(3)
        if self.flat:
            c, s = np.cos(self.column(f"{body}.phi")), np.sin(self.column(f"{body}.phi"))
            return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        w, x, y, z = (self.column(f"{body}.q{k}") for k in "wxyz")
        return np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip

    def place(self, reference):
        body, _, point = reference.partition(".")
        return self.origin(body) + self.rotation(body) @ self.three(self.model.bodies[body].points[point])

    def speed(self, reference):
        body = reference.partition(".")[0]
        arm = self.place(reference) - self.origin(body)
        return self.origin(body, "v") + np.cross(self.spin(body, "w"), arm)

    def put(self, body, force, moment, at, into):
        """A force at a place and a moment, about the body's origin, into a vector of all bodies."""
        if body == "ground":
            return
        k = 6 * self.number[body]
        into[k : k + 3] += force
        into[k + 3 : k + 6] += moment + np.cross(at - self.origin(body), force)

    def unknown(self, ends, force, moment, places):
        column = np.zeros(len(self.given))
        for sign, end, at in zip((-1, 1), ends, places, strict=True):
            self.put(end.partition(".")[0], sign * force, sign * moment, at, column)
        self.forces.append(column)


def bodies(row):
    """What the motion of the bodies needs, less their weight: m a of the centre, I α + ω × I ω about it."""
    model = row.model
    for name in row.number:
        body, turn = model.bodies[name].whole, row.rotation(name)
        arm = turn @ row.three(body.center or (0, 0, 0))
        w, alpha = row.spin(name, "w"), row.spin(name, "a")
        acceleration = row.origin(name, "a") + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        inertia = np.diag([1, 1, body.inertia[0]]) if row.flat else turn @ tensor(body.inertia) @ turn.T
        moment = inertia @ alpha + np.cross(w, inertia @ w)
        force = body.mass * (acceleration - row.three(model.gravity))
        row.put(name, force, moment, row.origin(name) + arm, row.given)


def tensor(numbers):
    xx, yy, zz, xy, xz, yz = (*numbers, 0, 0, 0)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def loads(row):
    for force in row.model.forces.values():
        {"spring": spring, "point_force": push, "body_torque": torque}[force.kind](row, force)


def spring(row, force):
    one, two = force.on
    along, speed = row.place(two) - row.place(one), row.speed(two) - row.speed(one)
    length = np.linalg.norm(along)
    o = force.options
    size = o["stiffness"] * (length - o["length"]) + (o.get("damping") or 0) * (speed @ along / length)
    for end, sign in ((one, 1), (two, -1)):
        row.put(end.partition(".")[0], -sign * size * along / length, np.zeros(3), row.place(end), row.given)


def push(row, force):
    direction = row.three(force.options["direction"])
    size = float(np.ravel(force.options["force"](row.run["t"][row.row : row.row + 1]))[0])
    at = force.on[0]
    row.put(at.partition(".")[0], -size * direction / np.linalg.norm(direction), np.zeros(3), row.place(at), row.given)


def torque(row, force):
    direction = np.array([0, 0, 1.0]) if row.flat else row.three(force.options["direction"])
    size = 2 * np.sin(3 * row.run["t"][row.row])  # the torque of all machines here
    row.put(force.on[0], np.zeros(3), -size * direction / np.linalg.norm(direction), np.zeros(3), row.given)


def joints(row):
    for joint in row.model.joints.values():
        exert(row, joint, *EXERTS[joint.kind])
    for driver in row.model.drivers.values():
        joint = row.model.joints[driver.of]
        turning = joint.kind in ("revolute", "screw")
        exert(row, joint, "none" if turning else "along", "along" if turning else "none")


def exert(row, joint, force, moment):
    ends = joint.between
    places = [row.place(ends[1])] * 2 if joint.kind != "distance" else [row.place(end) for end in ends]
    first = row.rotation(ends[0].partition(".")[0])
    given = joint.options.get("axis") or (0, 0, 1)
    axis = first @ row.three(given)
    axis = axis / np.linalg.norm(axis)
    for vector in directions(row, joint, force, axis, first):
        extra = np.zeros(3)
        row.unknown(ends, vector, extra, places)
    if force == "thread":
        for vector in square_to(axis):
            row.unknown(ends, vector, np.zeros(3), places)
        row.unknown(ends, axis, -joint.options["lead"] / (2 * np.pi) * axis, places)
    for vector in directions(row, joint, moment, axis, first):
        row.unknown(ends, np.zeros(3), vector, places)


def directions(row, joint, word, axis, first):
    if word == "all":
        return np.eye(3)
    if word == "square":
        return square_to(axis)
    if word == "along":
        return [axis]
    if word == "line":
        along = row.place(joint.between[1]) - row.place(joint.between[0])
        return [along / np.linalg.norm(along)]
    if word == "cross":
        second = row.rotation(joint.between[1].partition(".")[0])
        one, two = (np.array(axis, float) for axis in joint.options["axes"])
        return [np.cross(first @ one, second @ two)]
    return []


def unbalanced(model, run):
    """The largest force or moment that no joint can exert, of the largest that bodies need; over a few rows."""
    worst, built = 0.0, model.build()
    for number in np.unique(np.linspace(0, len(run) - 1, 6).astype(int)):
        row = Row(built, run, number)
        bodies(row)
        loads(row)
        joints(row)
        matrix, wanted = np.array(row.forces).T, row.given
        if row.flat:  # forces in the plane, moments about its normal
            kept = [6 * k + i for k in range(len(row.number)) for i in (0, 1, 5)]
            matrix, wanted = matrix[kept], wanted[kept]
        left = wanted - matrix @ np.linalg.lstsq(matrix, wanted, rcond=1e-11)[0]
        worst = max(worst, float(np.max(np.abs(left)) / max(1.0, np.max(np.abs(wanted)))))
    return worst
