"""Types of the compiled core, for type checkers. Its source is core/bindings."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from mubo.arrays import Array, Integers

class Along(IntEnum):
    body = ...  # nothing: it acts on one body
    turn = ...
    slide = ...
    distance = ...
    dof = ...  # a degree of freedom of a link of a tree
    pair = ...  # nothing: it acts on two bodies

class Status(IntEnum):
    done = ...
    no_convergence = ...
    singular = ...
    not_finite = ...
    other_branch = ...
    sign_change = ...
    zero_inertia = ...
    zero_length = ...
    collapsed = ...
    event_stop = ...
    step_limit = ...
    running = ...
    open_loop = ...
    singular_loop = ...
    no_size = ...
    jammed = ...
    no_contact_solution = ...

rounding: float  # relative to the scale of lengths
nearly: float  # relative to the scale: one Newton iteration reduces it to rounding
lost_pivot: float  # relative to the largest pivot
nearly_singular: float  # relative to the largest of the smallest pivots so far

def accepts(gap: float, tolerance: float, scale: float) -> bool: ...
def are_independent(lines: Array, least: float) -> bool: ...
def branch_radius(size: float, largest: float) -> float: ...
def left_branch(
    width: int,  # unknowns of a body
    turning: int,  # the last unknowns, which describe its rotation
    h: float,
    last: Array,  # 3 x unknowns: q, v, a
    next: Array,  # 3 x unknowns
    guess: Array,
    weight: Array,
    radius: float,  # see branch_radius
    part: float,
    tolerance: float,
    scale: float,
) -> bool: ...

max_bodies: int

def row_kinds() -> list[tuple[str, int, int, int, bool]]: ...
def spatial_row_kinds() -> list[tuple[str, int, int, int, bool]]: ...

class System:
    unknowns: int
    equations: int
    def __init__(
        self,
        free_bodies: int,
        fixed: Array,
        kind: Integers,
        body: Integers,
        driver: Integers,
        profile: Integers,
        parameter: Array,
        profiles: list[tuple[float, list[float], list[float]]],
    ) -> None: ...
    def phi(self, q: Array, motion: Array) -> Array: ...
    def jacobian(self, q: Array, motion: Array) -> Array: ...
    def jacobian_entries(self, q: Array, motion: Array) -> Array: ...
    # J over the weights of the unknowns with lines of length one, and their lengths before
    def scaled_jacobian(self, q: Array, motion: Array, weight: Array) -> tuple[Array, Array]: ...
    # 1 for equations of angles alone, Phi per radian of those in the plane, whether their factors are of one size
    def equation_kinds(self, q: Array, motion: Array) -> tuple[Array, Array, bool]: ...
    # In twists: v of the origin and angular velocity of every moving body, ground axes; 3 columns a body, in space 6.
    def twist_jacobian(self, q: Array, motion: Array) -> Array: ...
    def twist_jacobian_entries(self, q: Array, motion: Array) -> Array: ...
    # rows as given x max_bodies x (3 | 6): Jᵀ λ on each body of a row, force and moment about its origin
    def wrenches(self, q: Array, motion: Array, lam: Array) -> Array: ...
    def right_sides(self, q: Array, v: Array, motion: Array) -> Array: ...
    def parameter_jacobian(self, q: Array, motion: Array) -> Array: ...
    # 3 x equations over |x - q| weight <= radius: Lipschitz constants of J, bounds of |dPhi|, rounding of Phi
    def bounds(self, q: Array, motion: Array, weight: Array, radius: float) -> Array: ...
    # status, iterations, largest gap, its equation, q
    def assemble(
        self,
        q: Array,
        motion: Array,
        row_weight: Array,
        weight: Array,
        tolerance: float,
        scale: float,
        most: int,
        longest: float,
        known: Array | None,
    ) -> tuple[Status, int, float, int, Array]: ...
    # status, corrections, sign of det J, smallest pivot, states 3 x unknowns
    def solve(
        self, active: Integers, q: Array, motion: Array, tolerance: float, max_iterations: int, scale: float
    ) -> tuple[Status, int, int, float, Array]: ...
    # status, steps done, largest smallest pivot, states, corrections per step
    def sweep(
        self,
        active: Integers,  # the independent equations, as many as unknowns
        times: Array,
        motion: Array,
        start: Array,  # 3 x unknowns, at times[0]
        sign: int,
        largest: float,
        weight: Array,
        tolerance: float,
        max_iterations: int,
        taylor: bool,
        part: float,
        scale: float,
        parts: int,  # of an output step; times and motion have them all
        same: float,
    ) -> tuple[Status, int, float, Array, Array]: ...
    # singular (0 or 1) per time; sensitivities of the states, times x parameters x 3 x unknowns, NaN where singular;
    # the largest residual |dPhi/dp|, parameters x equations
    def sensitivities(
        self,
        active: Integers,  # times x unknowns
        states: Array,
        motion: Array,
        parameter: Array,  # derivatives of the rows' numbers, parameters x numbers
        fixed: Array,  # of the fixed poses, parameters x coordinates
        laws: Array,  # of the motion, times x parameters x motion
        profile: Array,  # of the profiles' coefficients, parameters x coefficients
    ) -> tuple[Array, Array, Array]: ...
    def residuals(self, states: Array, motion: Array) -> Array: ...
    # Over all rows: states times x 3 x unknowns; Q − M a about the origins, λ of Jᵀ λ = right (NaN where singular)
    def unbalanced_wrenches(self, mass: Array, gravity: Array, states: Array, loads: Array) -> Array: ...
    def multipliers(self, active: Integers, states: Array, motion: Array, right: Array) -> Array: ...
    # times x reactions x (3 | 6); `of_row` are the numbers of the reactions of every row
    def reactions(
        self,
        states: Array,
        motion: Array,
        lam: Array,
        body: Integers,
        carrier: Integers,
        point: Array,
        of_row: list[list[int]],
    ) -> Array: ...
    def twist_jacobians(self, states: Array, motion: Array) -> Array: ...

class SpatialSystem(System): ...

Term = tuple[int, int, int, float, float]  # angle, slide, driver (-1: none), x, y

def cos_sin(angles: Array) -> Array: ...  # 2 x angles: cosines, then sines, as the loops compute them
def lane_widths() -> list[int]: ...  # variants of a batch that this processor can solve at once, widest first

class LoopSystem:
    unknowns: int
    equations: int
    def __init__(
        self,
        angles: int,
        slides: int,
        loops: list[list[Term]],
        linear: list[tuple[list[int], list[float], float, int]],  # unknowns, factors, constant, driver
        blocks: list[tuple[list[int], list[int]]],  # equations and unknowns, solved one after the other
        bodies: list[tuple[int, int, float, float, float, list[Term]]],  # parent, angle, offset, x, y, terms from it
    ) -> None: ...
    # status, corrections, signs of det J and smallest pivots by block, states 3 x unknowns
    def solve(
        self, x: Array, motion: Array, tolerance: float, max_iterations: int, scale: float
    ) -> tuple[Status, int, Array, Array, Array]: ...
    # status, steps done, largest smallest pivots, states, corrections per step
    def sweep(
        self,
        times: Array,
        motion: Array,
        start: Array,
        signs: Array,
        largest: Array,
        weight: Array,
        tolerance: float,
        max_iterations: int,
        taylor: bool,
        part: float,
        scale: float,
        parts: int,  # of an output step; times and motion have them all
        same: float,
        lanes: int = 0,  # rows at once, one of `lane_widths`; 0: the most
    ) -> tuple[Status, int, Array, Array, Array]: ...
    def bodies(self, states: Array, motion: Array, lanes: int = 0) -> Array: ...
    def numbers(self) -> Array: ...
    # 3 x variants: status, last row reached (-1: not assembled), where it stopped; `out` is filled
    def batch(
        self,
        variants: Array,
        nominal: Array,
        start: Array,
        times: Array,
        motion: Array,
        weight: Array,
        tolerance: float,
        max_iterations: int,
        part: float,
        scale: float,
        columns: list[int],
        lanes: int,  # variants at once, one of `lane_widths`; 0: the most
        threads: int,
        out: Array,  # variants x times x columns
    ) -> Array: ...
    def along(self, x: Array, v: Array, a: Array, motion: Array) -> Array: ...

# Loads in absolute coordinates. A load acts along a coordinate between two bodies, or on one body. Its parameters are
# the geometry of that coordinate (points and axes, each in its body's axes) and then the numbers of its formula:
#   turn      plane: none (phi_j - phi_i); space: from_i, toward_i, arm_j: the arm's angle from one axis towards another
#   slide     s_i, u_i, s_j: displacement of a point of the second body along the unit axis u of the first
#   distance  s_i, s_j
# Efforts are positive where the coordinate grows; so a tension is a negative effort.
# Of every load: name, whether it acts along a coordinate, numbers, whether it has a law, is conservative, is active
def plane_loads() -> list[tuple[str, bool, int, bool, bool, bool]]: ...
def space_loads() -> list[tuple[str, bool, int, bool, bool, bool]]: ...
def effort(kind: int, q: float, v: float, f: float, numbers: list[float]) -> float: ...  # along a coordinate; of space
def plane_geometry(along: Along) -> int: ...  # numbers of a coordinate's geometry
def space_geometry(along: Along) -> int: ...

class PlaneLoads:
    def __init__(
        self,
        kind: Integers,
        along: Integers,  # values of Along; `body` for a load on one body, `pair` on two
        body: Integers,  # loads x 2: lines of the poses; the second is not read for a load on one body
        law: Integers,  # entry of the laws' values, -1: none
        parameter: Array,
    ) -> None: ...
    # All three: poses (bodies x 3 | 7) and twists (bodies x 3 | 6) of all bodies, fixed ones too, and the laws' values.
    # `near`: per load the value of its coordinate an instant before; an angle in space is within half a turn of it.
    # Returns status (zero_length: two points coincide), the load concerned, and
    # wrenches (loads x 2 x (3 | 6), about each body's origin), loads x (potential, power, dissipated, supplied)
    def evaluate(
        self, poses: Array, twists: Array, laws: Array, near: Array | None = None
    ) -> tuple[Status, int, Array, Array]: ...
    # states rows x 3 x unknowns of the moving bodies, poses of the fixed ones, laws rows x laws, near rows x loads.
    # Returns status, the row and the load concerned, the sum on every body (rows x bodies x (3 | 6)), the part of
    # loads on one body alone, sizes (rows x loads), rows x loads x (potential, power, dissipated, supplied)
    def along(
        self, states: Array, fixed: Array, laws: Array, near: Array | None = None
    ) -> tuple[Status, int, int, Array, Array, Array, Array]: ...
    # rows x loads x (q, v): the coordinate that a load acts along and its rate; zero where there is none
    def coordinates(self, states: Array, fixed: Array, near: Array | None = None) -> Array: ...
    # loads x n x n with n = 2 x (3 | 6): −∂ wrenches / ∂ displacements (of the origin, and turns about ground axes)
    def stiffness(
        self, poses: Array, twists: Array, laws: Array, near: Array | None = None
    ) -> tuple[Status, int, Array]: ...
    # −∂ wrenches / ∂ twists
    def damping(
        self, poses: Array, twists: Array, laws: Array, near: Array | None = None
    ) -> tuple[Status, int, Array]: ...

class SpaceLoads(PlaneLoads): ...

# Trees. Links in topological order; kinds and loads by the numbers of tree_kinds() and space_loads().
# Instants come as lines: t (n), q (n x positions), v, a, tau (n x velocities). `where` is the number of the link that a
# status concerns (of the load, for zero_length); "instants done" counts the instants evaluated before it.
# A user force is function(t, q, v) -> one number per velocity.
UserFunction = Callable[[float, Array, Array], Array]

def tree_kinds() -> list[tuple[str, int, int]]: ...  # name, positions, velocities
def dop853_tables() -> dict[str, Array]: ...  # A, B, C, E3, E5, D as in scipy.integrate.DOP853, extra stages in A and C

class TreeSystem:
    links: int
    positions: int
    velocities: int
    windings: int  # angles whose turns the state counts
    states: int  # positions + velocities + windings + 2: q, v, turns, energy dissipated, energy supplied
    def __init__(
        self,
        parent: Integers,  # -1: ground
        kind: Integers,
        place: Array,  # n x 7: r and quaternion (w, x, y, z) of the joint frame in the parent's frame
        axis: Array,  # n x 3: unit, in the joint frame
        pitch: Array,  # advance of a screw per radian
        inertia: Array,  # n x 10: mass, centre (3), tensor about the centre xx yy zz xy xz yz (products are -∫xy dm)
        law: Integers,  # that drives the link (turn, slide, screw), -1: undriven
        gravity: Array,
        laws: list[tuple[Array, Array]],  # edges (pieces + 1), Chebyshev coefficients pieces x (f, f', f'') x terms
        # kind (of space_loads), along, first, second, law (-1: none), numbers. Along a DOF: link and its DOF 0,
        # 1, 2; else links, -1: ground. Along a distance, the two points (in link axes) come before the load's numbers.
        loads: list[tuple[int, Along, int, int, int, list[float]]],
        armature: Array | None = None,  # reflected inertia of each link's coordinates
    ) -> None: ...
    def drive(
        self, t: Array, q: Array, v: Array
    ) -> tuple[Array, Array, Array]: ...  # q, v, a: driven entries from laws
    # n x links x 19: r, quaternion, v, w, acceleration, angular acceleration of the link's frame in ground axes
    def forward(self, q: Array, v: Array, a: Array) -> Array: ...
    # status, where, instants done, tau: the efforts that produce a together with the loads
    def rnea(
        self, t: Array, q: Array, v: Array, a: Array, user: UserFunction | None = None, near: Array | None = None
    ) -> tuple[Status, int, int, Array]: ...
    # status, where, instants done, a, efforts of drivers; driven entries of q and v come from their laws
    def aba(
        self, t: Array, q: Array, v: Array, tau: Array, user: UserFunction | None = None, near: Array | None = None
    ) -> tuple[Status, int, int, Array, Array]: ...
    def crba(self, q: Array) -> Array: ...
    # status, where, instants done, n x 9: kinetic, gravity, springs, linear momentum, angular momentum about the origin
    def energy(self, t: Array, q: Array, v: Array, near: Array | None = None) -> tuple[Status, int, int, Array]: ...
    def rhs(self, t: float, y: Array, user: UserFunction | None = None) -> tuple[Status, int, Array]: ...
    # status, where, states x states: the Jacobian of rhs; `length` is typical of slides
    def jacobian(
        self, t: float, y: Array, length: float, user: UserFunction | None = None
    ) -> tuple[Status, int, Array]: ...

class LinkPlace:
    """A place on a link (-1: the ground), in its axes; `turned` and `angle` are the axes of a body on it."""

    def __init__(self, link: int, at: Array, turned: Array, angle: float, whole: bool) -> None: ...

class States:
    """Functions of states in joint coordinates, one or many along the first axis. An answer is None where arguments are
    no arrays of doubles of the right size, or where `fault` names a status."""

    fault: tuple[Status, int, int]  # status (running: look at the arguments), where, state
    rows: int  # independent equations that close loops
    # joints: n x 10: kind, position, velocity, coordinate and rate of the model, sign, sense, Euler axes (-1: none)
    def __init__(self, system: TreeSystem, joints: Integers, plane: bool) -> None: ...
    def mass_matrix(self, q: Any, out: Any = None) -> Array | None: ...
    def inverse_dynamics(self, q: Any, v: Any, a: Any, t: float = 0.0, out: Any = None) -> Array | None: ...
    def bias(self, q: Any, v: Any, t: float = 0.0, out: Any = None) -> Array | None: ...
    def forward_dynamics(self, q: Any, v: Any, tau: Any, t: float = 0.0, out: Any = None) -> Array | None: ...
    def energy(self, q: Any, v: Any, t: float = 0.0, out: Any = None) -> Array | None: ...  # kinetic, potential
    def jacobian(self, of: LinkPlace, q: Any, out: Any = None) -> Array | None: ...
    def place(self, of: LinkPlace, q: Any, out: Any = None) -> Array | None: ...
    def loop_jacobian(self, q: Any, t: float = 0.0, out: Any = None) -> Array | None: ...
    def inverse_derivatives(
        self, q: Any, v: Any, a: Any, t: float = 0.0, by_q: Any = None, by_v: Any = None, by_a: Any = None
    ) -> tuple[Array, Array, Array] | None: ...
    def forward_derivatives(
        self, q: Any, v: Any, tau: Any, t: float = 0.0, by_q: Any = None, by_v: Any = None, by_tau: Any = None
    ) -> tuple[Array, Array, Array] | None: ...

class TreeStepper:
    """A tree that advances step by step; a step that cannot be made leaves time and state as they were."""

    t: float
    state: Array
    fault: tuple[Status, int]  # of the last step: status, where
    def __init__(
        self,
        system: TreeSystem,
        t: float,
        y: Array,
        rtol: float,
        atol: Array,
        stops: Array,  # times at which steps must end
        events: list[tuple[int, float, int, bool]],  # entry or program beyond the states, value, direction, stop
        max_steps: int,
    ) -> None: ...
    def set_state(self, t: float, y: Array) -> None: ...
    def set_size(self, load: int, size: float) -> None: ...
    def step(self, dt: float) -> Status: ...
    def fixed_steps(self, h: float, count: int) -> Status: ...
    def set_outputs(self, programs: Integers) -> None: ...
    def outputs(self) -> list[float]: ...
    def copy(self) -> TreeStepper: ...

class TreeRun:
    """An integration by DOP853 that continues where it stopped. Call advance(0.1) while it returns `running`."""

    t: float  # reached
    step: float  # next step size
    steps: int
    rejected: int
    evaluations: int
    status: Status
    where: int  # link that the status concerns; the load for zero_length, the event for event_stop
    component: int  # of the state, with the largest error at the last rejected step
    rows: int  # output times reached
    stiffness: tuple[float, float, int]  # fastest rate, when, evaluations until then; zeros: the model is not stiff
    taken: float  # kinetic energy that the projection onto the loops removed
    def __init__(
        self,
        system: TreeSystem,
        start: float,
        end: float,
        y: Array,  # states at start
        times: Array,  # wanted, ascending within [start, end]
        rtol: float,
        atol: Array,  # one per state
        first_step: float,  # 0: estimated from the first derivatives
        max_step: float,
        max_steps: int,
        stops: Array,  # times a step must end at: where laws have corners
        # Entry of the state (states + k: bytecode k of the events; -1: `look`), value, direction -1 0 1,
        # whether it ends the run
        events: list[tuple[int, float, int, bool]],
        user: UserFunction | None = None,
        look: Callable[[int, Array, Array], Array] | None = None,  # number of the event, times, states: its values
    ) -> None: ...
    def advance(self, seconds: float) -> Status: ...
    def states(self) -> Array: ...  # rows x states, at times[:rows]
    def ends(self) -> Array: ...  # of the steps taken
    def last(self) -> Array: ...  # the state at t
    def impulses(self) -> list[tuple[float, float]]: ...  # time, energy supplied, at jumps of prescribed rates
    def events(self) -> tuple[Integers, Array, Array]: ...  # number, time, state of every event
    def crossings(self) -> tuple[list[float], list[int]]: ...  # singular positions passed: time, weakest row

class ContactRun:
    """An integration by DOP853 with contacts and exact friction, from switch to switch of their modes."""

    t: float  # reached
    step: float  # next step size
    steps: int
    rejected: int
    evaluations: int
    status: Status
    where: int  # link that the status concerns; the load for zero_length, the event for event_stop
    component: int  # of the state, with the largest error at the last rejected step
    rows: int  # output times reached
    stiffness: tuple[float, float, int]  # fastest rate, when, evaluations until then; zeros: the model is not stiff
    impacts_together: int  # instants at which impacts ended together
    tangential_impacts: int  # instants at which impulses ended a sliding that no forces fit
    largest_gain: float  # of energy that an impact would have had
    taken: float  # kinetic energy that the projection onto the loops removed
    def __init__(
        self,
        system: TreeSystem,
        start: float,
        end: float,
        y: Array,  # states at start
        times: Array,  # wanted, ascending within [start, end]
        rtol: float,
        atol: Array,  # one per state
        first_step: float,  # 0: estimated from the first derivatives
        max_step: float,
        max_steps: int,
        stops: Array,  # times a step must end at: where laws have corners
        # Entry of the state (states + k: bytecode k of the events; -1: `look`), value, direction -1 0 1,
        # whether it ends the run
        events: list[tuple[int, float, int, bool]],
        user: UserFunction | None,
        look: Callable[[int, Array, Array], Array] | None,  # number of the event, times, states: its values
        units: list[tuple[Any, ...]],  # see core/bindings/contact_run.cpp
        planar: bool,
        slow: float,  # a slip below it rests
        gap_tolerance: float,
        keeps_impacts: bool,
    ) -> None: ...
    def advance(self, seconds: float) -> Status: ...
    def states(self) -> Array: ...  # rows x states, at times[:rows]
    def ends(self) -> Array: ...  # of the steps taken
    def last(self) -> Array: ...  # the state at t
    def events(self) -> tuple[Integers, Array, Array]: ...  # number, time, state of every event
    def rows_of_contact(self) -> Array: ...  # rows x (accelerations, efforts, stored energy)
    def recorded_units(self) -> tuple[Array, Array]: ...  # row and unit of each, and its numbers
    # Time, owner, kind, velocities before and after, impulses, energy lost
    def switches(self) -> list[tuple[float, int, int, float, float, float, float, float, float, float]]: ...
    # Number among the switches, owner, state before, velocities after, contact point, impulse on the first body
    def impacts(self) -> list[tuple[int, int, list[float], list[float], list[float], list[float]]]: ...

Sensor = tuple[int, int, list[int], int, float, list[float]]  # kind, order, bodies, counted angle, scale, numbers
# Code and points of curves; or a user function, and the bytecodes of its arguments
Bytecode = tuple[list[Step], list[float], Callable[[float, Array], float] | None, list[Code]]
Friction = tuple[int, float, list[int], list[int]]  # load, coefficient, equations, and for each the end that counts

class PlaneRun:
    """An integration by Radau IIA in absolute coordinates. Call advance(0.1) while it returns `running`."""

    t: float  # reached
    steps: int
    rejected: int
    evaluations: int  # of stages
    factors: int
    status: Status
    where: int  # the equation, load or event that the status concerns
    taken: float  # kinetic energy that the projection of velocities removed
    def __init__(
        self,
        rows: System,
        mass: Array,  # moving bodies x (4 | 10)
        gravity: Array,
        loads: PlaneLoads,
        group: Integers,  # the joint of each equation
        weight: Array,  # makes equations comparable: 1 / length, or 1 of angles
        active: Integers,  # 0 for equations that are never solved: unit quaternions
        driver_laws: list[tuple[Array, Array]],  # of every column of the rows' motion: edges, pieces x 3 x terms
        load_laws: list[tuple[Array, Array]],
        start: float,
        end: float,
        q: Array,
        v: Array,  # twists of the moving bodies
        near: Array,  # per load, the angle it acts along
        times: Array,
        rtol: float,
        atol: float,
        energies_control_error: bool,  # whether energies exchanged take part in error control
        max_steps: int,
        stops: Array,
        # sensors, those whose turns are counted, bytecodes, how many of them are sizes, of which loads; frictions
        state_loads: tuple[list[Sensor], list[int], list[Bytecode], int, list[int], list[Friction]],
        events: list[tuple[int, float, int, bool]],  # bytecode or -1, value, direction, whether it ends the run
        look: Callable[[int, Array, Array], Array] | None = None,  # number of the event, times, rows as of `rows`
    ) -> None: ...
    def advance(self, seconds: float) -> Status: ...
    # At each output time reached: q, v, energies dissipated and supplied, a, gaps, rates of gaps, multipliers, and
    # kinetic energy, potential of gravity, of loads, linear and angular momentum; the weakest pivot; sizes of frictions
    def rows(self) -> Array: ...
    def active(self) -> Array: ...  # 1 for independent equations
    def ends(self) -> Array: ...  # of the steps taken
    def events(self) -> tuple[Integers, Array]: ...  # number and time of every event
    def crossings(self) -> tuple[list[float], list[int]]: ...  # singular positions passed: time, weakest row

class SpatialRun(PlaneRun): ...

def radau_tables() -> tuple[Array, Array, Array, Array, Array, Array, Array]: ...

# Closes the loops of a tree by rows between `bodies` on links: r and quaternion on the link, in the plane their angle
# relative to it; per equation its joint and the weight of its row; per driver its law or -1.
def close_loops(
    system: TreeSystem,
    rows: System | SpatialSystem,
    link: Integers,
    place: Array,
    plane_angle: Array,
    group: Integers,
    weight: Array,
    law: Integers,
) -> None: ...
def choose_rows(system: TreeSystem, t: float, q: Array) -> tuple[Status, int, Array]: ...
def project_onto_loops(system: TreeSystem, t: float, q: Array, v: Array) -> tuple[Status, int, Array, Array]: ...
def loop_rows(
    system: TreeSystem, t: Array, q: Array, v: Array, user: UserFunction | None = None, near: Array | None = None
) -> tuple[Status, int, Array, Array]: ...

# Loads whose size depends on the state or on a joint reaction, and event functions.
Step = tuple[int, int, float]  # operation, sensor or first point of a curve, number or points of a curve
Code = tuple[list[Step], list[float]]  # steps, and points of curves

max_crossings: int  # of one event, after which it is no longer searched

def operations() -> list[str]: ...  # operations of bytecode, by number
def sensor_kinds() -> list[str]: ...  # by number
def add_state_dependent_loads(
    system: TreeSystem,
    sensors: list[Sensor],
    windings: list[int],  # sensors whose turns the state counts
    bytecodes: list[Bytecode],
    sizes: int,  # bytecodes of loads, which come first
    of: list[tuple[int, int, int]],  # load, bytecode and counted angle (-1: none)
) -> None: ...
def turns_at(system: TreeSystem, t: float, q: Array, v: Array, near: Array) -> Array: ...
def event_value_at(system: TreeSystem, number: int, t: float, y: Array) -> float: ...
def frictions_at(
    system: TreeSystem, t: Array, q: Array, v: Array, user: UserFunction | None = None, near: Array | None = None
) -> tuple[Status, int, Array]: ...  # instants x frictions, in the order of `add_reaction_friction`
def add_reaction_friction(
    system: TreeSystem,
    # load; coefficient, back coefficient, gain; link (-1: it closes a loop), links that slide, rows, their ends
    frictions: list[tuple[int, tuple[float, float, float], int, list[int], list[int], list[int]]],
    rows: int,
) -> None: ...
