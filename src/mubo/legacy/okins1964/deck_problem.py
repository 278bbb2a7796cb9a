"""The way of a card deck: its loops are closed exactly by turning the links, then followed by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mubo._core import Status
from mubo.arrays import Array
from mubo.errors import AssemblyError, ModelError, SingularityError
from mubo.formats.decks.punch import listing_of
from mubo.legacy.okins1964.deck_events import classify, missed, passed, stopped
from mubo.legacy.okins1964.vectors import columns_of, residues, vectors_of
from mubo.mechanism.formulations.deck import DEGREE, DeckLoops, deck_loops
from mubo.model import ModelDefinition
from mubo.results import Columns, Event
from mubo.solvers.assembly.start_analysis import TOLERANCE
from mubo.solvers.continuation.continuation import continue_motion
from mubo.solvers.continuation.steppers import LoopStepper
from mubo.solvers.continuation.stepping import ContinuationResult, Settings
from mubo.solvers.kinematics.bifurcation import ChangePoint
from mubo.solvers.kinematics.problem import KinematicProblem, MotionRows, Reversibility
from mubo.solvers.transmission.transmission import Transmission, TransmissionSample, loop_transmission

LARGE = 2.0  # degrees by which closing may turn a link without a word
BACKWARDS = np.array([1.0, -1.0, 1.0])  # signs of value, rate and acceleration when time runs back


@dataclass(frozen=True)
class DeckWay(KinematicProblem):
    """Vector loops of a deck. With HYST the table goes there and back: the driver is reversed, so that the last
    position appears twice, with both rates."""

    inspection: DeckLoops = None  # type: ignore[assignment]  # given by deck_way
    closed: Array = None  # type: ignore[assignment]  # the state at the deck's own position

    @property
    def _back(self) -> bool:
        positions = self.inspection.linkage.positions
        return positions is not None and positions.back

    def motion(self, t: Array) -> Array:
        return self.inspection.motion(t)

    def driver_values(self, motion: Array) -> dict[str, float]:
        return self.inspection.driver_values(motion)

    @property
    def driver_weight(self) -> Array:
        return np.array([1.0 if self.inspection.factor == DEGREE else 1 / self.inspection.scale])

    def regular(self, state: Array, time: float) -> bool:
        _, J, _, _ = self.stepper.equations(state[0], state[1], self.motion(np.array([time]))[0])
        values = np.linalg.svd(J, compute_uv=False)
        return bool(values[-1] > 1e-4 * values[0])

    def transmission(self, states: Array, motion: Array) -> Transmission:
        return loop_transmission(self.inspection.loops, states[:, 0], motion, self.settings.transmission)

    def absolute(self, states: Array, motion: Array) -> Array:
        return states  # a deck has no bodies

    def rows(self, grid: Array, trip: Reversibility) -> MotionRows:
        there = super().rows(grid, trip)
        if not self._back or trip.there.status != Status.done:
            return there
        count = trip.back.reached + 1
        states = np.concatenate([there.states, trip.back.states[:count] * BACKWARDS[:, None]])
        return MotionRows(
            np.concatenate([there.t, 2 * there.t[-1] - there.t[::-1][:count]]),
            states,
            np.concatenate([there.motion, there.motion[::-1][:count] * BACKWARDS]),
            np.concatenate([there.corrections, trip.back.corrections[:count]]),
            states,
        )

    def residuals(self, rows: MotionRows) -> tuple[Sequence[str], Array]:
        loops = self.inspection.loops
        count = len(loops.polygons)
        along = [
            loops.system.along(state[0], state[1], state[2], line)
            for state, line in zip(rows.states, rows.motion, strict=True)
        ]
        largest = np.abs(np.array(along)).max(axis=0)[:, : 2 * count].reshape(3, count, 2).max(axis=2)
        return loops.chords, largest

    def columns(self, rows: MotionRows) -> Columns:
        deck = self.inspection
        driver = rows.motion[:, :2]
        return columns_of(deck.model, deck.linkage, rows.t, vectors_of(deck, rows.states, rows.motion), driver)

    def notes(self, rows: MotionRows, columns: Columns, whole: bool) -> list[str]:
        deck, turned = self.inspection, turned_by(self.inspection, self.closed)
        notes = [*deck.linkage.notes, *deck.notes]
        most = max(turned, key=lambda name: abs(turned[name]))
        if abs(turned[most]) > 1e-9 and self.settings.mode == 1:
            more = "; look at the lengths and directions" if abs(turned[most]) > LARGE else ""
            notes.append(f"the loops are closed by turning links, {most} by {turned[most]:.4g} deg at most{more}")
        return [*notes, residue_words(self._residues(rows))]

    def more(self, rows: MotionRows) -> dict[str, Any]:
        turned = turned_by(self.inspection, self.closed)
        return {"mode": self.settings.mode, "closing_rotations_deg": turned, "residues_percent": self._residues(rows)}

    def _residues(self, rows: MotionRows) -> dict[str, float]:
        deck = self.inspection
        both = residues(deck.linkage, vectors_of(deck, rows.states, rows.motion))
        return {word: float(values.max()) for word, values in zip(("velocity", "acceleration"), both, strict=True)}

    def crossing_event(self, crossing: ChangePoint) -> Event:
        return passed(self.inspection, crossing, self.settings.branch, np.nan)

    def stop_event(self, path: ContinuationResult) -> Event:
        return stopped(self.inspection, self.stepper, path)

    def miss_event(self, transmission: Transmission, miss: TransmissionSample) -> Event:
        return missed(self.inspection, miss)

    def events_back(self, grid: Array, trip: Reversibility) -> list[Event]:
        if not self._back:
            return []
        end = float(grid[-1])
        events = [passed(self.inspection, crossing, self.settings.branch, end) for crossing in trip.back.crossings]
        if trip.back.status != Status.done:
            events.append(stopped(self.inspection, self.stepper, trip.back, end))
        return events

    def mobility(self) -> dict[str, Any]:
        return {"gruebler": 1, "rank": 1, "loops": len(self.inspection.linkage.loops), "redundant": []}

    def listing(self, columns: Columns) -> str:
        return listing_of(self.inspection.linkage, columns)


def deck_way(model: ModelDefinition, grid: Array, settings: Settings) -> DeckWay:
    """Closes the loops of the deck and leads it to the first time."""
    if settings.formulation == "absolute":
        raise ModelError("a deck has vectors and loops, no bodies: there are no absolute coordinates of it")
    deck = deck_loops(model)
    settings = replace(settings, tolerance=settings.tolerance or TOLERANCE * deck.scale, scale=deck.scale)
    stepper = LoopStepper(deck.loops, settings)
    closed = close(deck, stepper) if settings.mode == 1 else _in_mode(deck, stepper, settings.mode)
    state = _at_start(deck, stepper, closed, float(grid[0]))
    return DeckWay(model, "loops", stepper, deck.loops.weight, settings, state, deck.loops, deck, 0, closed)


def residue_words(largest: dict[str, float]) -> str:
    """The residues of the thesis in words."""
    numbers = ", ".join(f"{word} {value:.1e}" for word, value in largest.items())
    return f"largest residues in per cent of the path: {numbers}"


def close(deck: DeckLoops, stepper: LoopStepper) -> Array:
    """The state at the deck's own position, every loop closed by turning the links; the driver stays."""
    motion = deck.motion(np.zeros(1))[0]
    status, state = stepper.start(np.zeros(0), motion)
    if status == Status.done:
        return state
    x = np.zeros(len(deck.free))
    kind, moving = classify(stepper, x, motion)
    if kind != "failure":
        names = " and ".join(deck.free[k] for k in moving)
        raise SingularityError(
            f"the deck starts at a singular position: {names} can move while the {deck.driver} stands still",
            names=[deck.free[k] for k in moving],
            suggestion="Start a little before or after it.",
        )
    gaps = np.abs(stepper.equations(x, x, motion)[0][: 2 * len(deck.linkage.loops)].reshape(-1, 2)).max(axis=1)
    worst = int(np.argmax(gaps)) + 1
    raise AssemblyError(
        f"the loops cannot be closed together by turning the links; loop {worst} is open by {gaps[worst - 1]:.3g}",
        names=[f"loop {worst}"],
        numbers={"gap": float(gaps[worst - 1])},
        suggestion="`mubo check` shows the misclosure of every loop, and what each vector would have to be.",
    )


def _in_mode(deck: DeckLoops, stepper: LoopStepper, number: int) -> Array:
    """The state at the deck's own position in another of its assembly modes."""
    from mubo.solvers.structure.assembly_modes import find_modes
    from mubo.solvers.structure.circuits import mode_unknowns  # which closes decks by this file
    from mubo.solvers.structure.mode_problem import deck_subject

    x = mode_unknowns(find_modes(deck_subject(deck)), number)
    return stepper.solve_at(x, deck.motion(np.zeros(1))[0])[1]


def turned_by(deck: DeckLoops, closed: Array) -> dict[str, float]:
    """Degrees by which closing turned each link, by the name of its first vector; a driven crank stays."""
    turned = zip(deck.free, closed[0], strict=True)
    return {name: float(x) / DEGREE for name, x in turned if not (deck.driver == "crank" and name == "z1")}


def _at_start(deck: DeckLoops, stepper: LoopStepper, closed: Array, start: float) -> Array:
    """The state at the first time of the grid, led there from the deck's own position."""
    if start == 0.0:
        return closed
    path = continue_motion(deck.motion, stepper, np.array([0.0, start]), closed, lambda done, total: None)
    if path.status != Status.done:
        raise SingularityError(f"t = {start:g} cannot be reached: {stopped(deck, stepper, path).message}")
    return np.asarray(path.states[1])
