"""Motors for a driver in lines: the duty, the motors with their ratios and shares, the flywheel."""

from __future__ import annotations

import numpy as np

from mubo.applications.drives.catalogue import KINDS
from mubo.applications.drives.result import MotorSizing
from mubo.applications.drives.sizing import SHARES, MotorCheck
from mubo.describe.layout import NO_HEADER, Tables, align_columns
from mubo.laws.number_text import unit_text

HEAD = ("motor", "ratio", *SHARES, "rms", "peak", "speed", "inertia ratio", "")


def describe_motor(found: MotorSizing) -> str:
    """The duty of the driver, a table of the motors, and what was noticed."""
    out = [f'motor for driver {found.driver} of "{found.run.model.name}": {verdict(found)}', ""]
    out += [f"  {label:<18} {text}" for label, text in duty_lines(found)]
    out += ["", *align_columns(motor_lines(found), "<" + ">" * (len(HEAD) - 2) + "<", "  ")]
    return "\n".join([*out, *(f"note  {note}" for note in found.notes)])


def motor_cells(found: MotorSizing) -> Tables:
    """The duty, and the motors."""
    return [[NO_HEADER, ("verdict", verdict(found)), *duty_lines(found)], motor_lines(found)]


def verdict(found: MotorSizing) -> str:
    """Which motor is taken, or what the nearest one lacks."""
    best = found.best
    if best.ok:
        return f"{best.motor.name} with a ratio of {best.ratio:.4g} is used to {100 * best.utilisation:.3g} %"
    return f"none can do it; {best.motor.name} would need {best.utilisation:.3g} times its {best.governs} limit"


def duty_lines(found: MotorSizing) -> list[tuple[str, str]]:
    """The duty of the driver, with the inertia at it and the flywheel."""
    duty, units, kinds = found.duty, found.run.units, KINDS[found.holds]

    def text(value: float, kind: str) -> str:
        return f"{value / units.factor(kind):.4g} {unit_text(units.unit_of(kind))}".rstrip()

    word = "torque" if found.holds == "angle" else "force"
    lines = [
        (f"{word}, rms", text(duty.rms(duty.effort), kinds["torque"])),
        (f"{word}, peak", text(float(np.max(np.abs(duty.effort))), kinds["torque"])),
        ("speed, greatest", text(float(np.max(np.abs(duty.speed))), kinds["speed"])),
    ]
    if found.reflected_inertia is not None:
        lines.append(
            ("reflected inertia", f"{text(found.reflected_inertia, kinds['inertia'])}, of the mean kinetic energy")
        )
    if found.energy_swing is not None:
        lines.append(("energy swing", text(found.energy_swing, "energy")))
    if found.flywheel is not None:
        lines.append(
            ("flywheel", f"{text(found.flywheel, kinds['inertia'])} for a fluctuation of {found.fluctuation:g}")
        )
        steady = duty.with_flywheel(found.fluctuation or 0.0).effort[0]
        lines.append((f"{word} with it", f"{text(float(steady), kinds['torque'])}, constant: what the motor gives"))
    return lines


def motor_lines(found: MotorSizing) -> list[tuple[str, ...]]:
    """One line per motor, the smallest that can do it first."""
    return [HEAD, *(_line(found, one) for one in found.checks)]


def _line(found: MotorSizing, one: MotorCheck) -> tuple[str, ...]:
    units, kinds = found.run.units, KINDS[found.holds]
    torque, speed = (units.unit(kinds[key]) for key in ("torque", "speed"))
    ratio = found.inertia_ratio(one)
    return (
        one.motor.name,
        f"{one.ratio:.4g}",
        *(f"{100 * one.shares[name]:.3g} %" for name in SHARES),
        f"{one.rms / torque.factor:.4g} {torque.label}".rstrip(),
        f"{float(np.max(np.abs(one.torque))) / torque.factor:.4g} {torque.label}".rstrip(),
        f"{float(np.max(np.abs(one.speed))) / speed.factor:.4g} {speed.label}".rstrip(),
        "" if ratio is None else f"{ratio:.3g}",
        "can" if one.ok else f"cannot: {one.governs}",
    )
