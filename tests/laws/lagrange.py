"""Lagrange's equations of a spatial tree from nothing but the poses of its bodies, as a second derivation.

Poses are products of 4×4 matrices; the mass matrix comes from their derivatives by complex steps (exact to rounding),
its own derivative by a sixth-order central difference: M q̈ + (dM/dt) q̇ − ½ ∂(q̇ᵀMq̇)/∂q + ∂V/∂q = Q.
"""

import numpy as np

from mubo.mechanism.frames import frames_of
from mubo.model import GROUND
from mubo.model.coordinates import coordinate_of, joint_dofs
from mubo.model.mass import tensor_of
from mubo.topology.tree import tree_of

TINY = 1e-30
STENCIL = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
STEP = 0.02


def rigid(R, r):
    out = np.eye(4, dtype=np.result_type(R, r))
    out[:3, :3], out[:3, 3] = R, r
    return out


def back(H):
    return rigid(H[:3, :3].T, -H[:3, :3].T @ H[:3, 3])


def turn(letter, angle):
    i = "xyz".index(letter)
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.eye(3, dtype=np.result_type(angle, float))
    R[j, j] = R[k, k] = np.cos(angle)
    R[k, j] = np.sin(angle)
    R[j, k] = -R[k, j]
    return rigid(R, np.zeros(3))


def shift(letter, way):
    return rigid(np.eye(3), np.eye(3)["xyz".index(letter)] * way)


def poses(model, q):
    """4×4 poses of all bodies; every ball has Euler angles."""
    H, at = {GROUND: np.eye(4)}, 0
    for hinge in tree_of(model):
        joint = model.joints[hinge.joint]
        motion = np.eye(4)
        for dof in joint_dofs(model, joint):
            if dof.kind == "ball":
                for letter in dof.euler:
                    motion, at = motion @ turn(letter, q[at]), at + 1
                continue
            if dof.kind != "slide":
                motion = motion @ turn(dof.axis, q[at])
            if dof.kind != "turn":
                lead = joint.options.get("lead", 0.0) / (2 * np.pi) if dof.kind == "screw" else 1.0
                motion = motion @ shift(dof.axis, q[at] * lead)
            at += 1
        first, second = (rigid(frame.axes, frame.at) for frame in frames_of(model, joint))
        across = first @ motion @ back(second)
        H[hinge.child] = H[hinge.parent] @ (across if hinge.forward else back(across))
    return H


def gradient(function, q):
    """∂ function / ∂q by complex steps; the derivative along the last axis."""
    columns = []
    for k in range(len(q)):
        moved = np.array(q, complex)
        moved[k] += 1j * TINY
        columns.append(np.imag(function(moved)) / TINY)
    return np.stack(columns, -1)


def center(model, name, H):
    return H[name][:3, :3] @ np.array(model.bodies[name].center or (0, 0, 0)) + H[name][:3, 3]


def place(model, reference, H):
    name, at = model.place(reference)
    return H[name][:3, :3] @ np.array(at) + H[name][:3, 3]


def turning(model, name, q):
    """Jacobian of the angular velocity in ground axes: vee of (∂R/∂q) Rᵀ."""
    R = poses(model, q)[name][:3, :3]
    return _vee(gradient(lambda x: poses(model, x)[name][:3, :3], q), R)


def _vee(dR, R):
    W = np.einsum("xyk,zy->xzk", dR, R)
    return np.stack([W[2, 1], W[0, 2], W[1, 0]])


def mass_matrix(model, q):
    names = [name for name in model.bodies if name != GROUND]
    H = poses(model, q)
    dH = gradient(lambda x: np.stack([moved[name] for moved in [poses(model, x)] for name in names]), q)
    M = np.zeros((len(q), len(q)))
    for name, change in zip(names, dH, strict=True):
        body, R = model.bodies[name], H[name][:3, :3]
        Jr = np.einsum("xyk,y->xk", change[:3, :3], np.array(body.center or (0, 0, 0))) + change[:3, 3]
        Jw = R.T @ _vee(change[:3, :3], R)
        M += body.mass * Jr.T @ Jr + Jw.T @ tensor_of(body.inertia) @ Jw
    return M


def potential(model, q):
    """Of gravity and springs."""
    H = poses(model, q)
    V = 0.0
    for name, body in model.bodies.items():
        if name != GROUND and model.gravity is not None:
            V = V - body.mass * np.array(model.gravity) @ center(model, name, H)
    for force in model.forces.values():
        k = force.options.get("stiffness", 0.0)
        if force.kind == "joint_spring":
            V = V + k / 2 * (q[number_of(model, force.on[0])] - force.options.get("rest", 0.0)) ** 2
        elif force.kind == "spring":
            V = V + k / 2 * (length(model, force, q) - force.options.get("length", 0.0)) ** 2
    return V


def length(model, force, q):
    H = poses(model, q)
    way = place(model, force.on[1], H) - place(model, force.on[0], H)
    return np.sqrt(way @ way)


def number_of(model, of):
    joint, number = coordinate_of(model, of)
    first = 0
    for hinge in tree_of(model):
        if hinge.joint == joint.name:
            return first + number
        first += sum(len(f.q) for f in joint_dofs(model, model.joints[hinge.joint]))
    raise AssertionError(of)


def efforts(model, q, v, t):
    """Q of everything without a potential."""
    Q = np.zeros(len(q))
    H = poses(model, q)
    for force in model.forces.values():
        options = force.options
        damping = options.get("damping", 0.0)
        if force.kind == "joint_effort":
            Q[number_of(model, force.on[0])] += options["effort"](np.array([t]))[0, 0]
        elif force.kind == "joint_spring":
            Q[number_of(model, force.on[0])] -= damping * v[number_of(model, force.on[0])]
        elif force.kind == "spring":
            rate = gradient(lambda x, force=force: length(model, force, x), q)
            Q -= damping * (rate @ v) * rate
        else:
            body = force.on[0].partition(".")[0]
            along = np.array(options["direction"]) / np.linalg.norm(options["direction"])
            along = H[body][:3, :3] @ along if options.get("axes") == "body" else along
            if force.kind == "point_force":
                J = gradient(lambda x, force=force: place(model, force.on[0], poses(model, x)), q)
                Q += options["force"](np.array([t]))[0, 0] * along @ J
            else:
                Q += options["torque"](np.array([t]))[0, 0] * along @ turning(model, body, q)
    return Q


def equations(model, q, v, t=0.0):
    """M and the right side of M q̈ = B."""
    size = len(q)
    dM = np.zeros((size, size, size))
    for k in range(size):
        for steps, weight in STENCIL.items():
            way = np.eye(size)[k] * STEP * steps
            dM[..., k] += weight / STEP * (mass_matrix(model, q + way) - mass_matrix(model, q - way))
    h = np.einsum("kjl,l,j->k", dM, v, v) - np.einsum("ijk,i,j->k", dM, v, v) / 2
    return mass_matrix(model, q), efforts(model, q, v, t) - h - gradient(lambda x: potential(model, x), q)
