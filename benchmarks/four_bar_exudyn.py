"""The four-bar linkage in Exudyn. Its static solver meets the constraints at every load step: positions only.

Importing this file fails where Exudyn is not installed.
"""

from __future__ import annotations

import math

import exudyn
import exudyn.itemInterface as items
import numpy as np
from exudyn.utilities import CreateSymbolicUserFunction
from timing import Array, Competitor

# Half the lengths of crank, coupler and rocker: the pins of a link, seen from its middle, lie at -half and +half.
HALF = (1.0, 2.0, 2.0)
GROUND_PIN = 2.5


def build(first: Array) -> tuple[exudyn.MainSystem, list[int]]:
    """The system at its first position (x, y, phi of three links), and one sensor per link."""
    system = exudyn.SystemContainer().AddSystem()
    ground = system.AddObject(items.ObjectGround())
    poses = first.reshape(3, 3)
    nodes = [system.AddNode(items.NodeRigidBody2D(referenceCoordinates=pose.tolist())) for pose in poses]
    links = [system.AddObject(items.ObjectRigidBody2D(mass=1, inertia=1, nodeNumber=node)) for node in nodes]

    def place(body: int, x: float) -> int:
        return system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))

    crank, coupler, rocker = links
    for one, other in (
        (place(ground, 0), place(crank, -HALF[0])),
        (place(crank, HALF[0]), place(coupler, -HALF[1])),
        (place(coupler, HALF[1]), place(rocker, HALF[2])),
        (place(rocker, -HALF[2]), place(ground, GROUND_PIN)),
    ):
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[one, other]))
    drive(system, nodes[0])
    kind = exudyn.OutputVariableType.Coordinates
    sensors = [
        system.AddSensor(items.SensorNode(nodeNumber=node, outputVariableType=kind, storeInternal=True))
        for node in nodes
    ]
    system.Assemble()
    return system, sensors


def turn(mbs, t, itemNumber, lOffset):
    # Exudyn translates this text into its own expression: no names from outside, no types, its own spelling.
    return 6.283185307179586 * t


def drive(system: exudyn.MainSystem, node: int) -> None:
    """The crank turns from its first angle; the law is translated once, so that no step calls Python."""
    still = system.AddNode(items.NodePointGround())
    ends = [
        system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=number, coordinate=coordinate))
        for number, coordinate in ((still, 0), (node, 2))
    ]
    motor = system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=ends, offsetUserFunction=turn))
    law = CreateSymbolicUserFunction(system, turn, "offsetUserFunction", motor)
    system.SetObjectParameter(motor, "offsetUserFunction", law)


def settings_for(times: Array) -> exudyn.SimulationSettings:
    """One load step per position and the tolerances of the other competitors."""
    settings = exudyn.SimulationSettings()
    solver = settings.staticSolver
    solver.numberOfLoadSteps = len(times) - 1
    solver.loadStepDuration = float(times[-1] - times[0])
    solver.stabilizerODE2term = 0
    solver.newton.relativeTolerance = 1e-10
    solver.newton.absoluteTolerance = 1e-12
    solver.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = float(times[1] - times[0])
    return settings


def exudyn_static(first: Array, rate: float, times: Array) -> Competitor:
    """Solves all positions; building the system is not timed."""
    assert math.isclose(rate, 2 * math.pi), "turn() holds the rate as a number"
    system, sensors = build(first)
    settings = settings_for(times)

    def run() -> None:
        assert system.SolveStatic(settings), "Exudyn stopped early"

    def states(_: None) -> Array:
        moved = [system.GetSensorStoredData(sensor)[-len(times) :, 1:] for sensor in sensors]
        return (np.concatenate(moved, axis=1) + first)[:, None, :]

    return Competitor("Exudyn static solver, positions only", run, states)
