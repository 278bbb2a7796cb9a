"""Cams for a motion of their follower: pitch curve or edge, pressure angle and radius of curvature in closed form.

The cam turns counter-clockwise by α about the origin. The follower is lifted by s(α), s′ and s″ by radians; on an arm
that turns about D = (c, 0) its angle to the line of centres is ψ = ψ₀ + s(α), u = e^{i(π − ψ)} along the arm.

* roller on a slide, offset e: centre at height y = √(r² − e²) + s over the cam, tan μ = (s′ − e)/y;
* roller on an arm of length l: centre w = c + l u, and with N = c + l (1 + ψ′) u along the common normal, seen from the
  fixed frame, tan μ = |l (1 + ψ′) − c cos ψ|/(c sin ψ);
* flat face on a slide: ρ = r + s + s″, and μ = 0;
* flat face through the pin of an arm: the face is at h = c sin ψ from the cam's centre, its normal at the angle φ = π/2
  − ψ − α in the cam, dφ = −(1 + ψ′) dα, so that ρ = h + d²h/dφ² with dh/dφ = −c cos ψ ψ′/(1 + ψ′); μ = 0.

The centre of a roller runs on the pitch curve z = w e^{−iα}, whose curvature is κ = −Im(z̄′ z″)/|z′|³, positive where
the cam bulges out; the edge is undercut where κ (roller + least radius) > 1, a flat face where ρ < least radius.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from mubo.arrays import Array, Booleans
from mubo.design.synthesis.family import Complex
from mubo.laws import Law
from mubo.lazy_dataclass import dataclass

TURN = 2 * np.pi
SAMPLES = 3600  # places of a turn
ROLLER, FLAT, ARM_ROLLER, ARM_FLAT = "roller", "flat", "arm-roller", "arm-flat"
FOLLOWERS = (ROLLER, FLAT, ARM_ROLLER, ARM_FLAT)


@dataclass(frozen=True)
class CamDrive:
    """A cam and its follower: the lift as a law of radians, and what is given of the follower."""

    follower: str
    lift: Law
    roller: float = 0.0
    offset: float = 0.0
    arm: float = 0.0
    centres: float = 0.0

    @property
    def turns(self) -> bool:
        """Whether the follower is an arm."""
        return self.follower in (ARM_ROLLER, ARM_FLAT)

    @property
    def rolls(self) -> bool:
        """Whether a roller runs on the cam."""
        return self.follower in (ROLLER, ARM_ROLLER)

    def angles(self) -> Array:
        """Angles of the cam, without the end of the turn."""
        return np.asarray(np.arange(SAMPLES) * (TURN / SAMPLES), float)

    def bounds(self) -> tuple[float, float]:
        """The least and the largest distance of roller centre or face from the cam's centre at rest."""
        _, s, _, _ = self._lift
        if self.follower == ARM_ROLLER:
            return abs(self.centres - self.arm), self.centres + self.arm
        if self.follower == ARM_FLAT:
            return 0.0, self.centres
        return max(abs(self.offset), -float(s.min()), 0.0), np.inf

    def place_at_rest(self, radius: float) -> float:
        """The place of the follower at rest: the angle of an arm to the line of centres, the height of a slide."""
        if self.follower == ARM_ROLLER:
            cosine = (self.arm**2 + self.centres**2 - radius**2) / (2 * self.arm * self.centres)
            return float(np.arccos(np.clip(cosine, -1, 1)))
        if self.follower == ARM_FLAT:
            return float(np.arcsin(np.clip(radius / self.centres, -1, 1)))
        return float(np.sqrt(radius**2 - self.offset**2))

    @cached_property
    def _lift(self) -> tuple[Array, Array, Array, Array]:
        alpha = self.angles()
        return (alpha, *self.lift(alpha).T)

    def quality(self, radius: float) -> tuple[Array, Array]:
        """Tangent of the pressure angle and convex curvature of pitch curve or face, all around."""
        alpha, s, v, a = self._lift
        if self.follower == FLAT:
            return np.zeros_like(s), _curvature_of(radius + s + a)
        if self.follower == ROLLER:
            y = self.place_at_rest(radius) + s
            return np.abs(v - self.offset) / np.maximum(y, 1e-300), self._bend(*self._slide(alpha, y, v, a))
        psi = self.place_at_rest(radius) + s
        if self.follower == ARM_ROLLER:
            along = self.arm * (1 + v) - self.centres * np.cos(psi)
            across = self.centres * np.sin(psi)
            tangent = np.abs(along) / np.where(across > 0, across, 1e-300)
            return tangent, self._bend(*self._swing(alpha, psi, v, a))
        return np.where(self._allowed(psi, v), 0.0, np.inf), _curvature_of(self._face_radius(psi, v, a))

    def _allowed(self, psi: Array, v: Array) -> Booleans:
        """Whether the face can follow: it turns against the cam, and stays on its side of the pin."""
        return np.asarray((v > -1) & (np.abs(psi) < np.pi / 2))

    def _slide(self, alpha: Array, y: Array, v: Array, a: Array) -> tuple[Complex, Complex, Complex]:
        w = self.offset + 1j * y
        return _in_cam(alpha, w, 1j * v, 1j * a)

    def _swing(self, alpha: Array, psi: Array, v: Array, a: Array) -> tuple[Complex, Complex, Complex]:
        u = np.exp(1j * (np.pi - psi))
        return _in_cam(alpha, self.centres + self.arm * u, -1j * v * self.arm * u, (-1j * a - v**2) * self.arm * u)

    def _face_radius(self, psi: Array, v: Array, a: Array) -> Array:
        c, q, dq = self.centres, v / (1 + v), a / (1 + v) ** 2
        return np.asarray(c * np.sin(psi) + (-c * np.sin(psi) * v * q + c * np.cos(psi) * dq) / (1 + v))

    @staticmethod
    def _bend(z: Complex, dz: Complex, ddz: Complex) -> Array:
        return np.asarray(-np.imag(np.conj(dz) * ddz) / np.abs(dz) ** 3)

    def edge(self, radius: float) -> Complex:
        """Points of the cam's edge in its own axes, counter-clockwise."""
        alpha, s, v, a = self._lift
        if self.rolls:
            motion = (
                self._slide(alpha, self.place_at_rest(radius) + s, v, a)
                if self.follower == ROLLER
                else self._swing(alpha, self.place_at_rest(radius) + s, v, a)
            )
            z, dz, _ = motion
            return np.asarray((z - self.roller * 1j * dz / np.abs(dz))[::-1])
        if self.follower == FLAT:
            h, dh, normal = radius + s, -v, np.exp(1j * (np.pi / 2 - alpha))
        else:
            psi = self.place_at_rest(radius) + s
            h, dh = self.centres * np.sin(psi), -self.centres * np.cos(psi) * v / (1 + v)
            normal = np.exp(1j * (np.pi / 2 - psi - alpha))
        return np.asarray(((h + 1j * dh) * normal)[::-1])


def _curvature_of(rho: Array) -> Array:
    """Curvature of a face that touches all around; infinite where it has a hollow."""
    return np.where(rho > 0, 1 / np.where(rho > 0, rho, 1.0), np.inf)


def _in_cam(alpha: Array, w: Any, dw: Any, ddw: Any) -> tuple[Complex, Complex, Complex]:
    """A moving place in the axes of the cam, with two derivatives by its angle."""
    turn = np.exp(-1j * alpha)
    return turn * w, turn * (dw - 1j * w), turn * (ddw - 2j * dw - w)
