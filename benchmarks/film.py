"""How long a film takes: 10 s at 60 frames per second, 1280 × 720, as MP4.

    python benchmarks/film.py

Real time is 10 s: a film that takes less is made faster than it is watched. Drawing and encoding run side by side, so
on two cores that nobody else uses the film takes about half of their processor times together, or the longer of them.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from timing import EXAMPLES, sized

import mubo

SECONDS, FPS = sized((10.0, 60.0), (0.1, 20.0))


def run_of(name: str) -> mubo.Run:
    """The motion of an example."""
    model = mubo.load(EXAMPLES / name)
    simulated = model.analysis is not None and model.analysis.type == "simulate"
    return model.simulate() if simulated else model.kinematics()


def processor(who: int) -> float:
    """Seconds of work so far: of this process, or of those it has started."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def measure(name: str) -> tuple[int, float, float, float]:
    """Frames, seconds for the film, and processor seconds for drawing and for encoding it."""
    run = run_of(name)
    speed = float(run["t"][-1] - run["t"][0]) / SECONDS
    own, encoder = processor(resource.RUSAGE_SELF), processor(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        told = run.animate(Path(folder) / "film.mp4", fps=FPS, speed=speed)
    whole = time.perf_counter() - start
    drawing, encoding = processor(resource.RUSAGE_SELF) - own, processor(resource.RUSAGE_CHILDREN) - encoder
    return told["frames"], whole, drawing, encoding


def main() -> None:
    print(f"{SECONDS:g} s of film, {FPS:g} frames per second, 1280 x 720; real time is {SECONDS:g} s\n")
    print(f"{'':<22} {'frames':>6} {'film':>8} {'drawing':>9} {'encoding':>9}   (processor time)")
    for name in sized(("four_bar.toml", "eight_body.toml", "five_body_chain.toml"), ("four_bar.toml",)):
        frames, whole, drawing, encoding = measure(name)
        print(f"{name:<22} {frames:>6} {whole:>6.1f} s {drawing:>7.1f} s {encoding:>7.1f} s")


if __name__ == "__main__":
    main()
