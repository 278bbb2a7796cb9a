"""Coordinates of a joint at which the body that it carries is where somebody says, or as near as the joint allows."""

from __future__ import annotations

import math

import numpy as np

from mubo.arrays import Array
from mubo.geometry.rotation import about, conjugate, euler_of, matrix, of_matrix, product
from mubo.mechanism.estimates import Pose, pose_across
from mubo.mechanism.joint_frames import JointMotion, zero_coordinates
from mubo.model import Body
from mubo.solvers.columns.joint_coordinates import BodyMotion, joint_coordinates

TURNS = (0.0, 2.0, -2.0)  # first guesses of angles: the farthest place of a turn does not lead to the nearest
MET = 1e-9  # of the distance that is wanted: it is met by slides alone


def off_by(wanted: Body, pose: Pose) -> tuple[float, float]:
    """Distance and angle between a pose and what is said of it; zero where nothing is said."""
    away = float(np.linalg.norm(np.array(wanted.position) - pose[0])) if wanted.position else 0.0
    if not wanted.orientation:
        return away, 0.0
    turn = product(conjugate(wanted.orientation), of_matrix(pose[1]))
    return away, 2 * math.atan2(float(np.linalg.norm(turn[1:])), abs(float(turn[0])))


def measured(stack: JointMotion, forward: bool, near: Pose, wanted: Body) -> list[float]:
    """The joint's coordinates, the known body of the joint being at `near`."""
    if not wanted.orientation:
        return _by_place(stack, forward, near, np.array(wanted.position))
    A = matrix(wanted.orientation)
    known, own = (stack.at, stack.on) if forward else (stack.on, stack.at)
    r = np.array(wanted.position) if wanted.position else near[0] + near[1] @ known - A @ own
    first, second = (_standing(*end) for end in ((near, (r, A)) if forward else ((r, A), near)))
    parts = joint_coordinates(stack, first, second, np.zeros(1), list(zero_coordinates(stack.dofs)), {})
    return [float(x) for part in parts for x in part[0][0]]


def _standing(r: Array, A: Array) -> BodyMotion:
    still = np.zeros((1, 3))
    return BodyMotion(np.array([[r, still[0], still[0]]]), of_matrix(A)[None], still, still)


def _by_place(stack: JointMotion, forward: bool, near: Pose, place: Array) -> list[float]:
    """Where only the body's origin is said: slides alone where they do, else the least turn from a few guesses."""
    from scipy.optimize import least_squares

    kinds = [dof.kind for dof in stack.dofs for _ in dof.v]
    slides = np.array([kind == "slide" for kind in kinds])
    zero = np.zeros(len(kinds))
    size = float(np.linalg.norm(place - near[0])) or 1.0

    def off(x: Array) -> Array:
        return np.asarray((pose_across(stack, forward, _coordinates(stack, x), near)[0] - place) / size)

    def only_slides(x: Array) -> Array:
        full = zero.copy()
        full[slides] = x
        return off(full)

    if not kinds:
        return []
    if slides.any():
        found = least_squares(only_slides, zero[slides], xtol=1e-15, ftol=1e-15, gtol=1e-15)
        if np.linalg.norm(found.fun) < MET or slides.all():
            full = zero.copy()
            full[slides] = found.x
            return _coordinates(stack, full)
    guesses = [np.where(slides, 0.0, turn) for turn in TURNS]
    tried = [least_squares(off, guess, xtol=1e-15, ftol=1e-15, gtol=1e-15) for guess in guesses]
    least = min(float(np.linalg.norm(one.fun)) for one in tried)
    best = [one.x for one in tried if np.linalg.norm(one.fun) <= least + MET]
    return _coordinates(stack, min(best, key=lambda x: float(np.linalg.norm(x))))


def _coordinates(stack: JointMotion, x: Array) -> list[float]:
    """Coordinates of a number for each rate: of a ball a rotation vector."""
    out: list[float] = []
    rest = list(x)
    for dof in stack.dofs:
        own, rest = np.array(rest[: len(dof.v)]), rest[len(dof.v) :]
        if dof.kind != "ball":
            out += [float(own[0])]
            continue
        angle = float(np.linalg.norm(own))
        p = about(own / angle if angle else np.array([0.0, 0.0, 1.0]), np.array(angle))
        out += [float(number) for number in (euler_of(dof.euler, p) if dof.euler else p)]
    return out
