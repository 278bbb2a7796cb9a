"""Every exception of mubo, and the sentence for each status that the core reports.

Each exception carries what its message shows: `names` of the elements, `numbers` with their meaning, and a
`suggestion`. `exit_code` is what the command line returns: 1 the model is wrong, 3 the analysis failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum


class MuboError(Exception):
    """Base of all errors that mubo raises on purpose: `names`, `numbers` and `suggestion` say what its message shows.

    Parameters
    ----------
    message : str
        What is wrong, found and allowed.
    names : Iterable[str], optional
        Names of the elements concerned.
    numbers : Mapping[str, float], optional
        Numbers of the message, by their meaning.
    suggestion : str, optional
        The fix, as a sentence that begins with a verb.

    Examples
    --------
    >>> try:
    ...     mubo.Model("empty").check()
    ... except mubo.MuboError as error:
    ...     print(error)
    the model has no bodies
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        names: Iterable[str] = (),
        numbers: Mapping[str, float] | None = None,
        suggestion: str = "",
    ) -> None:
        self.names = tuple(names)
        self.numbers = dict(numbers or {})
        self.suggestion = suggestion
        super().__init__(f"{message}\n  {suggestion}" if suggestion else message)


class ModelError(MuboError):
    """The model, or the file it came from, is wrong.

    Examples
    --------
    >>> mubo.load("four_bar.toml").replace("copler.B", (0, 0))
    Traceback (most recent call last):
    mubo.errors.ModelError: there is no "copler.B" to replace. Did you mean "coupler.B"?
    """


class RedundancyError(ModelError):
    """Constraints contradict each other, or leave a degree of freedom that nothing drives.

    Examples
    --------
    >>> model = mubo.load("four_bar.toml")
    >>> model.drivers.clear()
    >>> model.kinematics(0, 1, step=0.1)
    Traceback (most recent call last):
    mubo.errors.RedundancyError: 1 degree of freedom is not driven ...
    """


class AssemblyError(MuboError):
    """No position satisfies all constraints near the estimates.

    Examples
    --------
    >>> mubo.load("four_bar.toml").replace("coupler.C", (90, 0)).kinematics(0, 1, step=0.1)
    Traceback (most recent call last):
    mubo.errors.AssemblyError: the mechanism cannot be assembled ...
    """

    exit_code = 3


class SingularityError(MuboError):
    """The motion reached a position from which it has no unique continuation.

    Examples
    --------
    >>> model = mubo.Model("flat parallelogram")
    >>> for name, place in {"A": (0, 0), "D": (2, 0)}.items():
    ...     model.ground.point(name, place)
    >>> for name, x, ends in (("crank", 0, "AB"), ("coupler", 1, "BC"), ("rocker", 2, "DC")):
    ...     link = model.body(name, position=(x, 0), lengths={ends: 2 if name == "coupler" else 1})
    >>> for name, first, second in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker"),
    ...                             ("D", "rocker", "ground")):
    ...     model.revolute(name, f"{first}.{name}", f"{second}.{name}")
    >>> model.driver("motor", "crank.phi", "t")
    >>> model.kinematics(0, 1, step=0.1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mubo.errors.SingularityError: the start is a singular position...
    """

    exit_code = 3


class SimulationError(MuboError):
    """A solver gave up for another reason.

    Examples
    --------
    >>> mubo.load("five_body_chain.toml").forward_dynamics([0.0] * 9, [0.0] * 9, [0.0] * 9)
    Traceback (most recent call last):
    mubo.errors.SimulationError: the Euler angles of a joint are at their singular position ...
    """

    exit_code = 3


class DesignError(MuboError):
    """No design within the bounds meets all limits, or none passes its verification; the message names the limits.

    Examples
    --------
    >>> model = mubo.load("parameters.toml")
    >>> wanted = ["swing >= 100 deg"]
    >>> model.optimize({"a": [0.03, 0.05]}, minimize="mass", constraints=wanted, starts=1, workers=1)
    Traceback (most recent call last):
    mubo.errors.DesignError: no design that meets all limits was found from 1 starts. ...
    """

    exit_code = 3


class ResultError(MuboError):
    """A question to a result that it cannot answer, or a file that cannot be written.

    Examples
    --------
    >>> mubo.load("four_bar.toml").kinematics(0, 1, step=0.5)["P.z"]
    Traceback (most recent call last):
    mubo.errors.ResultError: there is no column "P.z". Did you mean "P.y"?
    """


STATUS_TEXTS = {
    "no_convergence": "Newton's method did not converge",
    "singular": "the constraint equations lost their rank",
    "not_finite": "a number grew beyond all bounds",
    "other_branch": "the next position found lies on another branch",
    "sign_change": "the determinant of the constraint equations changed its sign",
    "zero_inertia": "a degree of freedom has no inertia",
    "zero_length": "the ends of a spring or damper meet, so that its direction is lost",
    "collapsed": "the step size fell to rounding",
    "event_stop": "an event ended the run",
    "step_limit": "it takes more steps than allowed",
    "open_loop": "a loop of the mechanism cannot be closed any more",
    "singular_loop": "the loop-closure equations lose their rank",
    "no_size": "the law of a load has no value",
    "no_contact_solution": "no combination of rest, stick and slip of the contacts fits the accelerations",
    "jammed": "friction and the reaction that causes it do not converge",
}


def status_text(status: IntEnum) -> str:
    """The reason that a status of the core other than `done` and `running` stands for."""
    return STATUS_TEXTS[status.name]


LONGEST = 80  # letters of a name in a message
MOST_WORDS = 30  # of a list of what is allowed
# Words of textbooks and other programs, each with the words of mubo for it.
SYNONYMS = {
    "pin hinge pivot rotational": "revolute",
    "slider sliding prismatic translational linear": "translational prismatic",
    "weld welded rigid": "fixed",
    "ball socket": "spherical",
    "hooke cardan": "universal",
    "gear": "gears",
    "pin_in_slot pin_slot": "slot",
    "cam": "cam_roller cam_flat",
    "link links bodies part parts rod bar": "body",
    "joints constraint constraints connection connections": "joint",
    "drivers motor motors actuator actuators input inputs": "driver",
    "forces load loads spring springs damper dampers": "force",
    "measures output outputs sensor sensors": "measure",
    "markers points": "point",
    "parameter variables": "parameters",
    "settings simulation": "analysis",
    "angle theta rotation rot": "phi",
    "speed w angular_velocity": "omega",
    "angular_acceleration": "alpha",
    "torque moment": "effort m",
    "dynamics": "simulate inverse",
    "forces inverse-dynamics kinetostatics": "inverse",
    "equilibrium": "statics",
    "modal vibration eigenfrequencies": "linearize",
    "solve": "run",
    "draw picture": "plot",
    "film movie": "animate",
    "page": "report",
    "step heaviside iif ifelse sign sgn": "where",
    "ln": "log",
    "arctan": "atan",
}


def _synonyms(word: str, allowed: Iterable[str]) -> list[str]:
    """The allowed words that mean the same; of a name with dots its last part counts."""
    head, dot, last = word.rpartition(".")
    known = set(allowed)
    same = (own for others, words in SYNONYMS.items() if last.lower() in others.split() for own in words.split())
    return [f"{head}{dot}{own}" for own in same if f"{head}{dot}{own}" in known and own != last]


def nearest(word: str, allowed: Iterable[str]) -> str:
    """' Did you mean "x"?' for a word that has another name here or is misspelt, or the list of what is allowed."""
    import difflib

    choices = sorted(_shown(name) for name in allowed)
    match = _synonyms(word, choices)[:1] or difflib.get_close_matches(word, choices, n=1, cutoff=0.5)
    if match:
        return f'Did you mean "{match[0]}"?'
    more = f" and {len(choices) - MOST_WORDS} more" if len(choices) > MOST_WORDS else ""
    return f"Allowed: {', '.join(choices[:MOST_WORDS])}{more}." if choices else "There is none."


def _shown(name: str) -> str:
    """A name from a file as a message gives it: no longer than a line, and without letters that cannot be printed."""
    printed = name if name.isprintable() else repr(name)[1:-1]
    return printed if len(printed) <= LONGEST else printed[:LONGEST] + "…"
