"""The four-bar linkage with masses in Exudyn: dynamics with the motion of the crank prescribed, and its motor torque.

Importing this file fails where Exudyn is not installed.
"""

from __future__ import annotations

import exudyn
import exudyn.itemInterface as items
from exudyn.utilities import CreateSymbolicUserFunction
from timing import Array, Competitor

HALF = (1.0, 2.0, 2.0)
MASS = ((4.0, 4 / 3), (8.0, 32 / 3), (8.0, 32 / 3))  # mass, inertia
GROUND_PIN, LOAD = 2.5, -5000.0


def turn(mbs, t, itemNumber, lOffset):
    # Exudyn translates this text into its own expression: no names from outside, no types, its own spelling.
    return 6.2832 * t


def speed(mbs, t, itemNumber, lOffset):
    return 6.2832 + 0 * t


def build(start: Array) -> tuple[exudyn.MainSystem, int]:
    """The system at its first positions and velocities (three links × 2 × 3), and the sensor of the motor torque."""
    system = exudyn.SystemContainer().AddSystem()
    ground = system.AddObject(items.ObjectGround())
    nodes, links = [], []
    for (mass, inertia), (pose, rates) in zip(MASS, start, strict=True):
        node = items.NodeRigidBody2D(referenceCoordinates=pose.tolist(), initialVelocities=rates.tolist())
        nodes.append(system.AddNode(node))
        links.append(system.AddObject(items.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=nodes[-1])))
        at = system.AddMarker(items.MarkerBodyMass(bodyNumber=links[-1]))
        system.AddLoad(items.LoadMassProportional(markerNumber=at, loadVector=[0, -9.81, 0]))

    def place(body: int, x: float) -> int:
        return system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))

    crank, coupler, rocker = links
    for one, other in (
        (place(ground, 0), place(crank, -HALF[0])),
        (place(crank, HALF[0]), place(coupler, -HALF[1])),
        (place(coupler, HALF[1]), place(rocker, HALF[2])),
        (place(ground, GROUND_PIN), place(rocker, -HALF[2])),
    ):
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[one, other]))
    turned = system.AddMarker(items.MarkerBodyRigid(bodyNumber=rocker, localPosition=[0, 0, 0]))
    system.AddLoad(items.LoadTorqueVector(markerNumber=turned, loadVector=[0, 0, LOAD]))
    motor = drive(system, nodes[0])
    kind = exudyn.OutputVariableType.Force
    sensor = system.AddSensor(items.SensorObject(objectNumber=motor, outputVariableType=kind, storeInternal=True))
    system.Assemble()
    return system, sensor


def drive(system: exudyn.MainSystem, node: int) -> int:
    """The crank turns from its first angle; the laws are translated once, so that no step calls Python."""
    still = system.AddNode(items.NodePointGround())
    ends = [
        system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=number, coordinate=coordinate))
        for number, coordinate in ((still, 0), (node, 2))
    ]
    motor = system.AddObject(
        items.ObjectConnectorCoordinate(markerNumbers=ends, offsetUserFunction=turn, offsetUserFunction_t=speed)
    )
    for name, law in (("offsetUserFunction", turn), ("offsetUserFunction_t", speed)):
        system.SetObjectParameter(motor, name, CreateSymbolicUserFunction(system, law, name, motor))
    return motor


def exudyn_dynamic(start: Array, times: Array) -> Competitor:
    """Integrates over the times, a step each; building the system is not timed."""
    system, sensor = build(start)
    settings = exudyn.SimulationSettings()
    solver = settings.timeIntegration
    solver.numberOfSteps = len(times) - 1
    solver.endTime = float(times[-1] - times[0])
    solver.verboseMode = 0
    solver.generalizedAlpha.spectralRadius = 0.8
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = float(times[1] - times[0])

    def run() -> Array:
        assert system.SolveDynamic(settings), "Exudyn stopped early"
        return -system.GetSensorStoredData(sensor)[-len(times) :, 1]

    return Competitor("Exudyn, generalised alpha", run)
