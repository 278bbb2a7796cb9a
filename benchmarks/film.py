"""How long a film takes: 10 s of the four-bar at 60 frames per second, 1280 × 720, as MP4 and without encoding.

    python benchmarks/film.py

Real time is 10 s: a film that takes less is made faster than it is watched.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from timing import EXAMPLES

import mubo
from mubo.view.film import Film, FilmSettings

SECONDS, FPS = 10.0, 60.0


def run_of(name: str) -> mubo.Run:
    """The motion of an example."""
    model = mubo.load(EXAMPLES / name)
    simulated = model.analysis is not None and model.analysis.type == "simulate"
    return model.simulate() if simulated else model.kinematics()


def measure(name: str) -> tuple[int, float, float, float]:
    """Frames, seconds for the whole film, seconds for drawing its frames, processor seconds for drawing."""
    run = run_of(name)
    speed = float(run["t"][-1] - run["t"][0]) / SECONDS
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        told = run.animate(Path(folder) / "film.mp4", fps=FPS, speed=speed)
        whole = time.perf_counter() - start
    film = Film(run, FilmSettings(fps=FPS, speed=speed))
    start, worked = time.perf_counter(), time.process_time()
    for number in range(len(film)):
        film.frame(number)
    return told["frames"], whole, time.perf_counter() - start, time.process_time() - worked


def main() -> None:
    print(f"{SECONDS:g} s of film, {FPS:g} frames per second, 1280 x 720; real time is {SECONDS:g} s\n")
    print(f"{'':<22} {'frames':>6} {'film':>8} {'drawing':>8} {'processor':>10} {'per frame':>10}")
    for name in ("four_bar.toml", "eight_body.toml", "five_body_chain.toml"):
        frames, whole, drawing, worked = measure(name)
        print(
            f"{name:<22} {frames:>6} {whole:>6.1f} s {drawing:>6.1f} s {worked:>8.1f} s {1e3 * worked / frames:>7.1f} ms"
        )


if __name__ == "__main__":
    main()
