"""Studies of a prescribed motion and of forces: kinematics, inverse, statics, simulate, linearize, strength, gait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from mubo.lazy_dataclass import dataclass
from mubo.studies.declare import Scaled, Solved, Study, Timed, Watched, WithForces, option, solver_option

RUN = "mubo.results:Run"
FREE = "Driver to leave undriven."
IN_FILE = {"in_file": True, "shown_default": "1e-11"}  # of the tolerances of an integration


@dataclass(frozen=True)
class KinematicsOptions(Solved):
    """Options of `kinematics`."""

    predictor: str = solver_option(
        "taylor",
        "Where Newton starts: second-order prediction, or the previous position.",
        choices=("taylor", "previous"),
    )
    transmission: bool = option(False, "Add columns of the transmission angle of every dyad.")
    advantage: str = option(
        "",
        "Coordinate, such as rocker.phi, slider.x or a joint, towards which the mechanical advantage becomes a column.",
        metavar="COORDINATE",
    )
    reverse: bool | None = option(None, "Reverse the drivers at the end, and go back to the start.", in_file=True)
    scheme: str = option(
        "exact",
        "For decks of O'Kins (1964): the exact motion, or the predictor-corrector of the thesis with its listing.",
        choices=("exact", "1964"),
        section="legacy",
    )
    key: bool = option(False, "For decks: begin the listing with the key of its cards.", section="legacy")
    arrays: bool = option(
        False,
        "For decks: end the listing with the arrays of ACOE, BCOE and GAUSS at every position.",
        section="legacy",
    )


@dataclass(frozen=True)
class StaticsOptions(WithForces):
    """Options of `statics`."""

    without_end: ClassVar[str] = "start"
    free: Sequence[str] | str = option((), FREE, many=True, metavar="DRIVER")
    starts: int | None = option(
        None,
        "Positions to search from, besides the estimates.",
        least=0,
        shown_default="40, fewer with many degrees of freedom",
    )
    within: Mapping[str, Any] | None = option(
        None,
        "Equilibria only where a coordinate, column or measure lies between two values.",
        many=True,
        metavar="NAME=FROM:TO",
        parse="mubo.analyses.statics.ranges:read_within",
    )
    revolutions: int = option(0, "Further revolutions, where a load counts them, to list equilibria of.", least=0)
    balance: Sequence[str] | str = option(
        (),
        "Number, such as spring.stiffness or counterweight.mass, to choose so that the drivers have least to hold.",
        many=True,
        metavar="NUMBER",
    )


@dataclass(frozen=True)
class SimulateOptions(Timed, Watched, Scaled):
    """Options of `simulate`."""

    without_end: ClassVar[str] = "nothing"
    free: Sequence[str] | str = option((), FREE, many=True, metavar="DRIVER")
    rtol: float | None = solver_option(None, "Relative tolerance of the integration.", **IN_FILE)
    atol: float | None = solver_option(None, "Absolute tolerance of the integration.", **IN_FILE)
    method: str | None = solver_option(
        None,
        "Integrator; the last three are for stiff models, and loops take Radau.",
        choices=("DOP853", "LSODA", "Radau", "BDF"),
        in_file=True,
        shown_default="what fits",
    )
    formulation: str = solver_option(
        "auto",
        "Recursions over the tree with its loops closed; absolute coordinates by Radau, for stiff models and as an "
        "independent check; Wittenburg's equations as a check of trees in space. auto: the tree, unless the model is "
        "stiff.",
        choices=("auto", "tree", "absolute", "wittenburg"),
    )
    reactions: bool = option(False, "Add columns of reactions, loads and efforts, as `inverse` has them.")
    force: Callable[[float, Any, Any], Any] | None = option(
        None, "Generalised forces to add, a function of t, q and v in the order of `state_names`, in radians.", flag=""
    )


@dataclass(frozen=True)
class LinearizeOptions:
    """Options of `linearize`."""

    start: float | str | None = option(
        None,
        "Time at which the drivers are taken.",
        quantity="time",
        positional=True,
        shown_default="as [analysis] says",
    )
    about: str = option(
        "equilibrium",
        "Reference of the linearisation: the equilibrium nearest to the start, the start itself, or a steady motion in "
        "which drivers and [initial] rates of joints continue and nothing else accelerates.",
        choices=("equilibrium", "position", "steady"),
    )
    equilibrium: int | None = option(None, "Number of the equilibrium, as `statics` lists them.", least=1)
    free: Sequence[str] | str = option((), FREE, many=True, metavar="DRIVER")
    at: Mapping[str, float | str] | None = option(
        None,
        "Value to put a driver or a joint at.",
        metavar="NAME=VALUE",
        parse="mubo.cli.study_options:values_by_name",
    )
    dofs: Sequence[str] | str = option(
        (), "Coordinate to take first as a degree of freedom, such as crank.phi.", many=True, metavar="COLUMN"
    )
    tolerance: float | None = option(None, "Largest constraint violation.", flag="")


@dataclass(frozen=True)
class EquationsOptions:
    """Options of `equations`."""

    at: float | str | None = option(
        None, "Time at which they are taken.", quantity="time", positional=True, shown_default="the start"
    )
    analysis: str | None = option(
        None,
        "Motion that leads to the state.",
        choices=("kinematics", "simulate"),
        shown_default="simulate where [analysis] says so, else kinematics",
    )


@dataclass(frozen=True)
class GaitOptions(Solved):
    """Options of `gait`."""

    threshold: float | str | None = option(
        None, "Upward force from which a foot is in stance.", metavar="FORCE", shown_default="20 N"
    )
    events: str | None = option(
        None,
        "Rule that finds heel strikes and toe-offs.",
        choices=("force", "coordinate", "file"),
        shown_default="those of the file, else force where a foot strikes plates twice",
    )
    normative: str | None = option(None, "Table of a reference group: mean and sd over the cycle.", metavar="FILE")


KINEMATICS = Study(
    "kinematics",
    KinematicsOptions,
    "mubo.analyses:answer_kinematics",
    "Run\n    Columns of bodies, points, joints, drivers and measures; `run.events` and `run.summary` when asked for.",
    "Positions, velocities and accelerations over a time grid, in the plane or in space.",
    examples=""">>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.25)
>>> run["crank.phi"].round(4)
array([1.0472, 2.618 , 4.1888, 5.7596, 7.3304])""",
    commands=(
        "mubo kinematics four_bar.toml -o four_bar.csv",
        "mubo kinematics four_bar.toml --transmission --advantage rocker.phi -o four_bar.csv",
        "mubo kinematics rssr.toml --step 0.001 -o rssr.csv",
        "mubo kinematics kabios_thigh.dat --guide-smoothing none --json",
        "mubo kinematics eleven_bar.deck --scheme 1964",
    ),
    result=RUN,
)
INVERSE = Study(
    "inverse",
    WithForces,
    "mubo.analyses:answer_inverse",
    "Run\n    The columns of `kinematics`, and those of drivers, reactions, loads, shaking force and energies.",
    "Inverse dynamics: actuator efforts and joint reactions along the prescribed motion.",
    notes="""Columns A.on_crank.fx, fy, m: exerted by the other body on crank, at the joint point, in ground
axes; motor.effort (the actuator force or torque) and motor.power; loads; shaking.fx, fy, m on the
ground. Uses masses, inertias and gravity; a model with masses must state gravity, [0, 0] for none.""",
    examples=""">>> run = mubo.load("engine.toml").inverse()
>>> bool(run["A.on_crank.f"].max() > 0), run.summary["power_residual"] < 1e-10
(True, True)""",
    commands=("mubo inverse engine.toml -o forces.csv", "mubo inverse door.toml --length-scale '500 mm' --json"),
    result=RUN,
)
STATICS = Study(
    "statics",
    StaticsOptions,
    "mubo.analyses.statics.statics:answer_statics",
    "Run\n    One row per equilibrium, the nearest to the estimates first, or per position of the drivers.",
    "Static equilibria of the undriven degrees of freedom, with stability, stiffness and joint reactions.",
    notes="""If all degrees of freedom are driven: the actuator forces and torques that hold each position of the
drivers, and the joint reactions. Otherwise the drivers are locked at their values at
`start`; `run.summary["equilibria"]` has the stability of each.""",
    examples=""">>> run = mubo.load("loaded_four_bar.toml").statics(free="hold")
>>> [entry["stability"] for entry in run.summary["equilibria"]].count("stable")
4""",
    commands=(
        "mubo statics loaded_four_bar.toml -o holding.csv",
        "mubo statics loaded_four_bar.toml --free hold -o equilibria.csv",
        "mubo statics desk_lamp.toml --balance arm_spring.stiffness --balance fore_spring.stiffness",
    ),
    result=RUN,
)
SIMULATE = Study(
    "simulate",
    SimulateOptions,
    "mubo.analyses.simulate:answer_simulate",
    'Run\n    The motion with its energy balance; a run that ends early has the status "stopped" and the reason.',
    "Forward dynamics from initial conditions: trees and closed loops, in the plane or in space.",
    examples=""">>> model = mubo.load("five_body_chain.toml")
>>> run = model.simulate(0, 0.2, step=0.1, force=lambda t, q, v: -0.1 * v)
>>> len(run), run.summary["status"]
(3, 'ok')""",
    commands=(
        "mubo simulate five_body_chain.toml -o chain.csv",
        "mubo simulate released_four_bar.toml --end 10",
        "mubo simulate released_four_bar.toml --formulation absolute",
        "mubo simulate five_body_chain.toml --end 20 --rtol 1e-12 --json",
        "mubo simulate released_four_bar.toml --reactions -o forces.csv",
        "mubo simulate loaded_four_bar.toml --free hold --end 1 --step 0.01",
    ),
    result=RUN,
)
LINEARIZE = Study(
    "linearize",
    LinearizeOptions,
    "mubo.analyses.linearize.linearize:answer_linearize",
    "Linearization\n    Matrices, natural frequencies, damping ratios, mode shapes and the state space.",
    "Linearised motion about an equilibrium, a position or a steady motion: M, C, K, vibration modes, state space.",
    notes="""Gives natural frequency, damping ratio and mode shape of every vibration mode; needs masses and inertias of
what moves. Mode shapes are given in the independent coordinates and scaled to a largest component of 1; for
unstable modes the growth rate is given.""",
    examples=""">>> linear = mubo.load("loaded_four_bar.toml").linearize(free="hold", at={"hold": "200 deg"})
>>> linear.dofs, bool(linear.natural_frequencies[0] > 10)
(('A.q',), True)""",
    commands=(
        "mubo linearize loaded_four_bar.toml --free hold",
        "mubo linearize flyball_governor.toml --about steady -o modes.json",
        "mubo linearize loaded_four_bar.toml --free hold -o mode.gif --vibration-mode 1",
    ),
    result="mubo.analyses.linearize.linearization:Linearization",
)
EQUATIONS = Study(
    "equations",
    EquationsOptions,
    "mubo.analyses.equations:answer_equations",
    "EquationReport\n    The state q, v, a with Φ, Φ_q, Φ_t, ν and γ by name, and M and Q where bodies have mass.",
    "Constraint equations and equations of motion as numbers at one time: Φ, Φ_q, Φ_t, ν, γ, M and Q by name.",
    notes="""In absolute coordinates: of every moving body x, y, φ, in space its place and a unit quaternion.
J v = ν and J a = γ with J = Φ_q; with masses M a + Jᵀ λ = Q, in space in twists. Angles are in radians.""",
    examples=""">>> found = mubo.load("eight_body.toml").equations(at=0.5)
>>> found.jacobian.shape, found.rank, found.names.equations[-1]
((24, 24), 24, 'driver upper_pump')""",
    commands=(
        "mubo equations eight_body.toml --at 0.5",
        "mubo equations eight_body.toml --at 0.5 -o equations.csv -o equations.tex",
        "mubo equations engine.toml --at 0.01 --json",
    ),
    result="mubo.analyses.equations:EquationReport",
)


GAIT = Study(
    "gait",
    GaitOptions,
    "mubo.applications.gait.gait:answer_gait",
    "Gait\n    Joints, events, cycles and checks; `.run` has all columns, `.save` writes the mean cycles.",
    "Joint angles, moments and powers of a walking person over the gait cycle, per kilogram.",
    examples=""">>> found = mubo.load("walker.toml").gait()
>>> found.mean("ankle_angle_r_moment").shape, found.run.unit("ankle_angle_r")
((101,), 'deg')
>>> picture = found.run.plot(kind="gait", path="gait.png")""",
    commands=("mubo gait walker.toml -o cycles.csv", "mubo gait walker.toml --report gait.html"),
    result="mubo.applications.gait.report:Gait",
)
