"""A double pendulum on ball joints: gravity and the force at O have no moment about the vertical through O."""

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo


def rotation(q):
    """Rotation matrices of unit quaternions w, x, y, z (Nikravesh 1988, eq. 6.19), a row each."""
    w, e = q[:, :1, None], q[:, 1:]
    tilde = np.zeros((len(q), 3, 3))
    tilde[:, 0, 1], tilde[:, 0, 2], tilde[:, 1, 2] = -e[:, 2], e[:, 1], -e[:, 0]
    tilde -= tilde.transpose(0, 2, 1)
    return (2 * w * w - 1) * np.eye(3) + 2 * e[:, :, None] * e[:, None, :] + 2 * w * tilde


def test_energy_and_vertical_momentum_stay():
    """m c × ċ + A J Aᵀ ω of both rods, summed up from the table; it is not zero, and its horizontal part changes."""
    run = mubo.load(EXAMPLES / "double_pendulum.toml").simulate()
    total = np.zeros((len(run), 3))
    for name, mass, length in (("upper", 1.2, 0.5), ("lower", 0.8, 0.4)):
        r, v, w = (np.stack([run[f"{name}.{part}{k}"] for k in "xyz"], 1) for part in ("", "v", "w"))
        w = np.radians(w)  # the model's angles are degrees
        A = rotation(np.stack([run[f"{name}.{part}"] for part in ("qw", "qx", "qy", "qz")], 1))
        arm = A @ np.array([0, 0, -length / 2])
        J = A @ np.diag([mass * length**2 / 12, mass * length**2 / 12, mass * length**2 / 1200]) @ A.transpose(0, 2, 1)
        total += mass * np.cross(r + arm, v + np.cross(w, arm)) + np.einsum("tij,tj->ti", J, w)
    assert abs(total[0, 2]) > 0.1
    assert total[:, 2] == pytest.approx(np.full(len(run), total[0, 2]), rel=1e-8)
    assert np.ptp(total[:, 0]) > 0.1
    energy = run["energy.total"]
    assert energy == pytest.approx(np.full(len(run), energy[0]), abs=1e-8 * np.ptp(run["energy.kinetic"]))
