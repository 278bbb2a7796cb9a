"""What a person does with a file: read, check, run, ask, draw and write. It ends well or is refused in words."""

import os
import traceback
from pathlib import Path

import numpy as np
from mutations import pick
from verbs import asked_of, moved, small_motions, verb_of

import mubo

CHECKED = 0.4  # of the sound ones are not run: that takes most of the time
RUN_FILES = ("out.csv", "out.json", "out.txt")
SCENE_FILES = ("out.glb", "out.py", "poses.csv")


class Hang(BaseException):
    """Raised by the alarm of a case: a BaseException, so that nothing on the way can take it for its own."""


def attempt(random, source, folder):
    """The outcome of a file, in words, and where it went wrong."""
    try:
        if source.table:
            str(mubo.compare(folder / source.opened, folder / f"sound_{source.opened}"))
            return "right: compared", ""
        return use(random, folder / source.opened), ""
    except mubo.MuboError as error:
        words = str(error)
        if not words.strip() or len(words) > 20000:
            return "WRONG: words", f"{len(words)} characters: {words[:80]!r}"
        return "right: refused", ""
    except Hang as alarm:
        return "WRONG: hang", where(alarm)
    except MemoryError as error:
        return "WRONG: memory", where(error)
    except Exception as error:
        return "WRONG: traceback", f"{type(error).__name__}: {str(error)[:100]} @ {where(error)}"


def use(random, path):
    """Reads, checks, runs and writes."""
    model = mubo.load(path)
    str(model.check())
    if path.suffix == ".deck":
        run = model.kinematics(scheme=pick(random, ("exact", "exact", "1964")))
    else:
        ask(random, model)
        if random.random() < 0.1:
            model.save(path.with_name("again.toml"))
            mubo.load(path.with_name("again.toml"))
        if random.random() < CHECKED:
            return "right: checked"
        run = asked_of(random, model, robot=path.suffix == ".urdf")
        if run is None:
            return "right: linearized"
    status = run.summary["status"]
    if status == "ok":
        said = " ".join([*run.summary["warnings"], *(event.message for event in run.events)])
        undefined = {name for name, values in run.columns.items() if np.any(np.isnan(values))}
        wrong = [name for name, values in run.columns.items() if np.any(np.isinf(values))]
        wrong += [name for name in undefined if run.columns.column(name).kind in ("measure", "load", "energy")]
        wrong = [name for name in wrong if name not in said]
        if wrong:
            return f"WRONG: not finite, {wrong[0]}"
    write(random, run, path.parent)
    return f"right: {'ran' if status == 'ok' else 'stopped'}"


def ask(random, model):
    """One of the questions to a model, sometimes."""
    asked = random.random()
    if model.dimension == 2 and asked < 0.05:
        str(model.loops())
    elif model.dimension == 2 and asked < 0.07 and len(model.bodies) < 8:
        str(model.modes())
    elif model.dimension == 3 and asked < 0.07:
        str(model.wittenburg())


def write(random, run, folder):
    """One of the files of a run, sometimes."""
    asked = random.random()
    if asked < 0.04:
        run.save(folder / pick(random, RUN_FILES))
    elif asked < 0.05:
        run.report(folder / "out.html")
    elif asked < 0.06:
        run.plot(path=folder / "out.svg")
    elif asked < 0.075:
        run.export(folder / pick(random, SCENE_FILES))


def everything(examples, folder):
    """All that a case may do, once, with sound files."""
    random = np.random.default_rng(0)
    for name in ("four_bar.toml", "bennett.toml", "buffer.toml", "engine.toml", "by_trc.toml"):
        model = mubo.load(examples / name)
        str(model.check())
        run = moved(random, model, verb_of(model))
        for file in (*RUN_FILES[:2], "out.html", *SCENE_FILES):
            run.save(folder / file) if file in RUN_FILES else None
            run.report(folder / file) if file.endswith("html") else None
            run.export(folder / file) if file in SCENE_FILES else None
        run.plot(path=folder / "out.svg")
    pushed = mubo.load(examples / "pushed.toml")
    moved(random, pushed, "statics").plot(path=folder / "out.svg")
    small_motions(random, pushed)
    str(mubo.load(examples / "four_bar.toml").loops())
    str(mubo.load(examples / "five_body_chain.toml").wittenburg())


def where(error):
    """The last places in mubo on the way to an error."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f"{os.sep}mubo{os.sep}" in f.filename]
    return " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames[-3:]))
