"""Coupler curves found again from 12 points: `python tests/campaigns/curves.py --seconds 60 [--first SEED]`.

A case is its seed and its family: four-bars whose crank is `turning`, or `rocking` to and fro. A curve is recovered
where the 12 points are met to 1e-6 of their size and 400 other places of the true curve lie on that of the linkage
found, too: by circles about its fixed pin and about the place. At least 95 of 100 must be.
"""

import argparse
import time

import numpy as np

from mubo.design.synthesis.family import joined
from mubo.design.synthesis.path_task import through

FAMILIES = ("turning", "rocking")
POINTS, TOLERANCE, SHARE = 12, 1e-6, 0.95
LEAST_RANGE = 1.5  # radians of a rocking crank


def third_pin(B, d, b, c, side):
    """Where circles about B and about D = d meet, by the law of cosines."""
    far = abs(d - B)
    return B + b * (d - B) / far * np.exp(1j * side * np.arccos((far**2 + b**2 - c**2) / (2 * b * far)))


def crank_range(a, b, c, d):
    """From where to where the crank of a four-bar can go, and whether it turns round."""
    far, near = d + a > b + c, abs(d - a) < abs(b - c)
    high = np.arccos((d * d + a * a - (b + c) ** 2) / (2 * a * d)) if far else np.pi
    low = np.arccos((d * d + a * a - (b - c) ** 2) / (2 * a * d)) if near else 0.0
    if far and near:
        return low, high, False
    if far:
        return -high, high, False
    return (low, 2 * np.pi - low, False) if near else (0.0, 2 * np.pi, True)


def curve_of(seed, family):
    """12 points of the curve of a random four-bar, about evenly along its crank's range, and 400 others of it."""
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    while True:
        a, b, c, d = np.exp(random.uniform(np.log(0.25), 0.0, 4))
        if max(a, b, c, d) >= sum((a, b, c, d)) / 2:
            continue  # it cannot be closed
        low, high, turns = crank_range(a, b, c, d)
        if turns == (family == "turning") and high - low > LEAST_RANGE:
            break
    part = (np.arange(POINTS) + 0.5 + random.uniform(-0.3, 0.3, POINTS)) / POINTS
    parts = np.concatenate([part, np.linspace(0.02, 0.98, 400)])
    B = a * np.exp(1j * (low + (high - low) * parts))
    C = third_pin(B, d, b, c, random.choice([-1, 1]))
    offset = complex(*random.uniform(-1.5, 1.5, 2))
    places = (B + (C - B) * offset) * np.exp(1j * random.uniform(0, 6.28)) * 10 ** random.uniform(-2, 2)
    return places[:POINTS], places[POINTS:]


def off_curve(found, k, places):
    """How far the rocker of a linkage found is from its length with its coupler point at given places: the smaller of
    both ways to put crank and coupler there."""
    A, B, C, D, P = found.A[k], found.B[k, 0], found.C[k, 0], found.D[k], found.point[k, 0]
    arm = P - B
    gaps = []
    for side in (-1, 1):
        pin = third_pin(places, A, abs(arm), abs(B - A), side)
        moved = pin + (C - B) * (places - pin) / arm
        gaps.append(np.abs(np.abs(moved - D) - abs(C - D)))
    return np.nan_to_num(np.min(gaps, axis=0), nan=np.inf)


def case(seed, family):
    """ "right", or "missed", and what was seen."""
    points, others = curve_of(seed, family)
    size = float(np.max(np.abs(points - points.mean())))
    found = through(points, seed=seed)
    family, errors = joined(found.families), np.concatenate(found.errors)
    best = int(np.argmin(errors))
    off = np.max(off_curve(family, best, others)) / size
    if errors[best] > TOLERANCE or off > TOLERANCE:
        return "missed", f"points off by {errors[best]:.1e}, curve by {off:.1e}, {found.rounds} rounds"
    return "right", f"{found.rounds} rounds"


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--seconds", type=float, default=60.0, help="of both families together")
    words.add_argument("--first", type=int, default=int(time.time()), help="first seed; the time if left out")
    words.add_argument("--cases", type=int, help="of each family, in place of a time")
    asked = words.parse_args()
    whole = right = 0
    for family in FAMILIES:
        seed, until, counts = asked.first, time.monotonic() + asked.seconds / len(FAMILIES), {"right": 0, "missed": 0}
        while seed < asked.first + asked.cases if asked.cases else time.monotonic() < until:
            outcome, detail = case(seed, family)
            counts[outcome] += 1
            if outcome == "missed":
                print(f"  {family} {seed}: missed; {detail}", flush=True)
            seed += 1
        whole, right = whole + sum(counts.values()), right + counts["right"]
        print(f"{family:14} seeds {asked.first} to {seed - 1}: {counts['right']} recovered, {counts['missed']} missed")
    print(f"{right} of {whole} curves recovered to {TOLERANCE:g}")
    raise SystemExit(right < SHARE * whole)


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
