"""Mutated input files: `python tests/campaigns/mutated.py --seconds 60 [--first SEED] [--count N] [--kind .urdf]`.

A file of any kind that mubo reads is changed in a few bytes, numbers, words, lines or values, then used as a person
would. It must end well or be refused in words: a traceback, a hang, a crash, memory without bound, or a number that is
not finite in a result called ok is wrong. A case is its seed.

Cases run one after the other in a child that has everything loaded; an alarm tells where a hang is. If the child dies
or does not hear the alarm, the case is wrong and another child goes on behind it.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded: small matrices, and children of a fork

import argparse
import collections
import functools
import json
import resource
import select
import shutil
import signal
import tempfile
import time
import warnings
from pathlib import Path

import corpus
import numpy as np
from attempts import Hang, attempt, everything
from mutations import mutated, pick

SECONDS = 100.0 if corpus.SANITIZED else 10.0  # of the processor, for a case
DEAF, BYTES = 30 * SECONDS, 4 << 30  # of the clock until a child is called deaf; of memory
BATCH = 200  # cases of a child
WEIGHTS = {
    ".toml": 24,
    ".json": 4,
    ".dat": 4,
    ".deck": 4,
    ".urdf": 4,
    ".c3d": 0.2,
}  # others 2; C3D takes a process each


def kinds():
    """The kinds of files that are changed."""
    return list(corpus.sources())


def build(seed, folder, kind=None):
    """The files of a case in an empty folder: the source, and what chooses all that follows."""
    random = np.random.default_rng(seed)
    weights = np.array([WEIGHTS.get(name, 2) for name in kinds()])
    chosen = kind or kinds()[random.choice(len(weights), p=weights / weights.sum())]
    source = pick(random, corpus.sources()[chosen])
    for old in folder.iterdir():
        old.unlink()
    for name in os.listdir(corpus.folder()):
        if name in (source.changed, source.opened) or name.startswith(corpus.READ):
            (folder / name).symlink_to(corpus.folder() / name)
    if source.table:
        (folder / f"sound_{source.opened}").symlink_to(corpus.folder() / source.opened)
    (folder / source.changed).unlink()
    (folder / source.changed).write_bytes(mutated(random, (corpus.folder() / source.changed).read_bytes()))
    return random, source


def case(seed, folder, kind=None):
    """One case in this process: outcome, detail and the file that was changed."""
    random, source = build(seed, folder, kind)
    signal.signal(signal.SIGPROF, _alarm)
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        outcome, detail = attempt(random, source, folder)
    except Hang:  # between two steps of `attempt`
        outcome, detail = "WRONG: hang", ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return outcome, detail, source.changed


def _alarm(*_):
    raise Hang


def _child(seeds, kind, pipe):
    warnings.simplefilter("ignore")
    if not corpus.SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            os.write(pipe, (json.dumps(case(seed, Path(folder), kind)) + "\n").encode())


def outcomes(seeds, kind=None):
    """(seed, outcome, detail, file) of every case, as they come."""
    seeds = list(seeds)
    while seeds:
        count = 0
        for answer in _answers(seeds[:BATCH], kind):
            yield (seeds[count], *answer)
            count += 1
        seeds = seeds[count:]


def _answers(seeds, kind):
    """What one child answers; its end before the last case is the answer of the case it was at."""
    warm()
    pipe, its_pipe = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(pipe)
            _child(seeds, kind, its_pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(its_pipe)
    left, buffer = len(seeds), b""
    try:
        while left:
            chunk = os.read(pipe, 65536) if select.select([pipe], [], [], DEAF)[0] else None
            if not chunk:
                yield ("WRONG: hang" if chunk is None else "WRONG: crash", "", "")
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            for line in lines:
                left -= 1
                yield tuple(json.loads(line))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(pipe)


@functools.cache
def warm():
    """What children would make and load each for themselves is there before they are made."""
    corpus.sources()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        everything(corpus.folder(), Path(folder))


def keep(seed, kind, place):
    """The files of a case, for a look at what went wrong."""
    place = place / str(seed)
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        build(seed, Path(folder), kind)
        shutil.copytree(folder, place, dirs_exist_ok=True)


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--seconds", type=float, default=60.0)
    words.add_argument("--first", type=int, default=int(time.time()), help="first seed; the time if left out")
    words.add_argument("--count", type=int, default=10**9, help="of cases, if they end before the time does")
    words.add_argument("--kind", help="of files to change, such as .urdf or 'result .csv'; all if left out")
    words.add_argument("--keep", type=Path, help="folder for the files of failures")
    asked = words.parse_args()
    tally, files, begun, seed = collections.Counter(), collections.Counter(), time.monotonic(), asked.first
    while time.monotonic() - begun < asked.seconds and seed < asked.first + asked.count:
        last = min(seed + BATCH, asked.first + asked.count)
        for seed, outcome, detail, name in outcomes(range(seed, last), asked.kind):  # noqa: B020
            tally[outcome.split(",")[0]] += 1
            files[Path(name).suffix] += 1
            if outcome.startswith("WRONG"):
                print(f"  {seed} ({name}): {outcome}; {detail}", flush=True)
                if asked.keep:
                    keep(seed, asked.kind, asked.keep)
        seed += 1
    rate = sum(tally.values()) / (time.monotonic() - begun)
    print(f"mutated seeds {asked.first} to {seed - 1}: " + ", ".join(f"{n} {w}" for w, n in sorted(tally.items())))
    print(
        f"  {rate:.1f} files a second: " + ", ".join(f"{n} {w or 'of dead children'}" for w, n in sorted(files.items()))
    )
    raise SystemExit(min(1, sum(n for w, n in tally.items() if w.startswith("WRONG"))))


if __name__ == "__main__":
    main()
