"""Mutated model files: `python tests/campaigns/mutated.py --seconds 60 [--first SEED]`.

An example is changed in a few characters, numbers, words or lines, then read, checked, run and written again, each in
a process of its own with bounded time and memory. It must end well or be refused in words: a traceback, a hang, a crash
or a number that is not finite in a result called ok is wrong. A case is its seed.
"""

import argparse
import collections
import multiprocessing
import re
import resource
import shutil
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

import mubo

EXAMPLES = Path(__file__).parents[2] / "examples"
ENDINGS = (".toml", ".json", ".dat", ".deck", ".urdf")
SECONDS, BYTES = 10.0, 4 << 30  # what one case may take
MOST_ROWS = 50
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
WORD = re.compile(r"[A-Za-z_]\w*")
NUMBERS = [
    "0",
    "-1",
    "1e-300",
    "1e300",
    "1e308",
    "nan",
    "inf",
    "1e400",
    "9223372036854775808",
    "1e7",
    "1e-9",
    "[]",
    "true",
]
CHARACTERS = list("\"'[]{}=,.#-+eE09 \n\t\x00é")


def change_number(random, text):
    """One number by another: a wild one, its negative, or one that is a little or a lot larger."""
    spots = list(NUMBER.finditer(text))
    if not spots:
        return text
    spot = spots[random.integers(len(spots))]
    value = float(spot.group())
    new = [
        str(random.choice(NUMBERS)),
        repr(-value),
        repr(value * (1 + 10 ** random.uniform(-14, 0))),
        repr(value * 10.0 ** int(random.integers(-9, 10))),
        spots[random.integers(len(spots))].group(),
    ][random.integers(5)]
    return text[: spot.start()] + new + text[spot.end() :]


def change_word(random, text):
    """One word by another of the file."""
    spots = list(WORD.finditer(text))
    if not spots:
        return text
    one, other = (spots[k] for k in random.integers(len(spots), size=2))
    return text[: one.start()] + other.group() + text[one.end() :]


def change_line(random, text):
    """A line left out, doubled, cut short or moved."""
    lines = text.split("\n")
    k, j = random.integers(len(lines), size=2)
    what = random.integers(4)
    if what == 0:
        del lines[k]
    elif what == 1:
        lines.insert(j, lines[k])
    elif what == 2:
        lines[k] = lines[k][: random.integers(len(lines[k]) + 1)]
    else:
        lines.insert(j, lines.pop(k))
    return "\n".join(lines)


def change_character(random, text):
    """A few characters written over or put in."""
    k = random.integers(len(text) + 1)
    new = "".join(random.choice(CHARACTERS, size=random.integers(1, 5)))
    return text[:k] + new + text[k + random.integers(3) :]


CHANGES = (change_number, change_number, change_word, change_line, change_character)


def mutated(seed):
    """The file of a case: its name and its text."""
    random = np.random.default_rng(seed)
    paths = sorted(path for path in EXAMPLES.iterdir() if path.suffix in ENDINGS)
    path = paths[random.integers(len(paths))]
    text = path.read_text()
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        text = CHANGES[random.integers(len(CHANGES))](random, text)
    return path.name, text


def attempt(name, text, folder):
    """Reads, checks, runs and writes; what came of it in words."""
    path = Path(folder) / name
    for data in EXAMPLES.glob("*.trc"):
        shutil.copy(data, folder)
    path.write_text(text)
    try:
        model = mubo.load(path)
        asked = model.analysis
        report = model.check()
        if asked is not None and getattr(report, "ok", False):
            step = max(asked.step, (asked.end - asked.start) / MOST_ROWS)
            run = getattr(model, asked.type)(asked.start, asked.end, step)
            values = np.array([run[column] for column in run.columns], float)
            if run.summary["status"] == "ok" and not np.all(np.isfinite(values)):
                return "WRONG: not finite", ""
        model.save(path.with_name("again.toml"))
    except mubo.MuboError as error:
        return "right: refused", str(error).split("\n")[0]
    except OSError as error:
        return "right: refused", str(error)
    except MemoryError:
        return "WRONG: memory", ""
    except Exception:
        return "WRONG: traceback", traceback.format_exc().strip().split("\n")[-1]
    return "right: read", ""


def _child(seed, answer):
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    with tempfile.TemporaryDirectory() as folder:
        answer.send(attempt(*mutated(seed), folder))


def case(seed):
    """One case in a process of its own."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(seed, there))
    child.start()
    there.close()
    try:
        if not here.poll(SECONDS):
            child.kill()
            return "WRONG: hang", f"over {SECONDS:g} s"
        return here.recv()
    except EOFError:
        child.join()
        return "WRONG: crash", f"exit {child.exitcode}"
    finally:
        child.join()


def warm():
    """What children would load each for themselves is loaded before they are made."""
    for name in ("bennett.toml", "five_body_chain.toml", "eleven_bar.deck"):
        with tempfile.TemporaryDirectory() as folder:
            attempt(name, (EXAMPLES / name).read_text(), folder)


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--seconds", type=float, default=60.0)
    words.add_argument("--first", type=int, default=int(time.time()), help="first seed; the time if left out")
    words.add_argument("--keep", type=Path, help="folder for the files of failures")
    asked = words.parse_args()
    warm()
    tally, seed, until = collections.Counter(), asked.first, time.monotonic() + asked.seconds
    while time.monotonic() < until:
        outcome, detail = case(seed)
        tally[outcome] += 1
        if outcome.startswith("WRONG"):
            name, text = mutated(seed)
            print(f"  {seed} ({name}): {outcome}; {detail}", flush=True)
            if asked.keep:
                asked.keep.mkdir(parents=True, exist_ok=True)
                (asked.keep / f"{seed}_{name}").write_text(text)
        seed += 1
    print(f"mutated seeds {asked.first} to {seed - 1}: " + ", ".join(f"{n} {w}" for w, n in tally.items()))
    raise SystemExit(min(1, sum(n for w, n in tally.items() if w.startswith("WRONG"))))


if __name__ == "__main__":
    main()
