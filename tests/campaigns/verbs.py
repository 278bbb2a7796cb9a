"""What is asked of a mutated model: the analysis of its file, or another one; in few rows and from few starts."""

from mutations import pick

MOST_ROWS = 8
OTHERWISE = 0.3  # of the models are asked for something else than their file says
VERBS = ("kinematics", "simulate", "inverse", "statics", "linearize")
ABOUT = ("equilibrium", "position", "position", "steady")
STARTS = 2  # of a search for equilibria, besides the estimates


def verb_of(model, robot=False):
    """What the file says; a robot, which has no analysis, falls."""
    return "simulate" if robot else "kinematics" if model.analysis is None else model.analysis.type


def asked_of(random, model, robot=False):
    """The run of one of the verbs; None of small motions, which are looked at here."""
    if robot:
        model.gravity = (0.0, 0.0, -9.81)
    verb = pick(random, VERBS) if random.random() < OTHERWISE else verb_of(model, robot)
    if verb == "linearize":
        return small_motions(random, model)
    return moved(random, model, verb)


def moved(random, model, verb):
    """The model's own times, in fewer rows."""
    asked = {}
    if model.analysis is None:
        asked = {"start": 0.0, "end": 0.5, "step": 0.1}
    else:
        times = model.build().output_times(without_end="start")
        if times.step > 0 and (times.end - times.start) / times.step > MOST_ROWS:
            asked = {"step": (times.end - times.start) / pick(random, (1, 2, 3, MOST_ROWS))}
    if verb == "statics":
        asked |= {"starts": STARTS, "free": released(random, model)}
    return getattr(model, verb)(**asked)


def released(random, model):
    """None of the drivers, or one."""
    return [pick(random, list(model.drivers))] if model.drivers and random.random() < 0.5 else []


def small_motions(random, model):
    """Linearised about something, printed, and its matrices asked for."""
    linear = model.linearize(about=pick(random, ABOUT), free=released(random, model))
    str(linear)
    linear.state_space()
    if linear.dofs:
        linear.motion(1)
