"""Closed loops in motion: mubo beside MuJoCo and Exudyn, time against error.

First N four-bars in a row through their singular position (IFToMM A02), 1 s; the truth is theta'' = c g sin theta,
integrated to 1e-13. Then other mechanisms and a stiff one: see loop_race.py. CPU time, shortest of rounds in which the
competitors take turns. MuJoCo closes loops softly, here as stiffly as its step allows. Times are those of the
integration, models made beforehand; the last table is the whole call.
"""

import runpy
from time import process_time

import loop_race
import numpy as np
from loop_cases import Case
from scipy.integrate import solve_ivp
from timing import EXAMPLES, duration, print_table, ratio, sized

SIZES, MOST_EXUDYN = sized((1, 10, 100, 1000), (1, 2, 3)), 100
n_four_bar = runpy.run_path(str(EXAMPLES / "n_four_bars.py"))["n_four_bar"]


def truth(number):
    """Where the first coupler begins after 1 s."""
    c = 3 * (3 * number + 1) / (2 * (4 * number + 1)) * 9.81
    found = solve_ivp(lambda t, y: [y[1], c * np.sin(y[0])], (0, 1), [0, 1], method="DOP853", rtol=1e-13, atol=1e-13)
    return np.array([np.sin(found.y[0, -1]), np.cos(found.y[0, -1]), 0.0])


def competitors(case, number):
    def own(tolerance):
        return loop_race.by_mubo(case, tolerance)

    yield "mubo, 1e-5", own(1e-5)
    yield "mubo, 1e-8", own(1e-8)
    for name, run in loop_race.peers_of(case).items():
        if name != "Exudyn" or number <= MOST_EXUDYN:
            yield f"{name} 1 ms", run


def chain():
    times, errors = {}, {}
    for number in SIZES:
        case = Case("", n_four_bar(number).build(), 1.0, "coupler0", 1e-3)
        best, answers = loop_race.shortest(dict(competitors(case, number)), 3 if number < 100 else 1)
        for name, seconds in best.items():
            place = case.place(answers[name]) if name.startswith("mubo") else answers[name]
            times.setdefault(name, []).append(seconds)
            errors.setdefault(name, []).append(float(np.linalg.norm(place - truth(number))))
    lines = [["1 s", *(f"N = {n}" for n in SIZES), "exponent", "errors"]]
    for name, seconds in times.items():
        slope = np.polyfit(np.log(SIZES[: len(seconds)]), np.log(seconds), 1)[0]
        floor = times["mubo, 1e-8"]
        cells = [f"{duration(s)} ({ratio(s / f)})" for s, f in zip(seconds, floor, strict=False)]
        cells += ["-"] * (len(SIZES) - len(cells))
        lines.append([name, *cells, f"{slope:.2f}", f"{min(errors[name]):.0e} to {max(errors[name]):.0e}"])
    print_table(lines)


def whole_calls():
    n_four_bar(1).simulate(0, 1, 0.1)  # what is imported once
    seconds = []
    for number in SIZES[1:]:
        model = n_four_bar(number)
        began = process_time()
        model.simulate(0, 1, 0.1)
        seconds.append(process_time() - began)
    slope = np.polyfit(np.log(SIZES[1:]), np.log(seconds), 1)[0]
    print_table(
        [
            ["simulate(0, 1, 0.1)", *(f"N = {n}" for n in SIZES[1:]), "exponent"],
            ["mubo, whole call", *map(duration, seconds), f"{slope:.2f}"],
        ]
    )


def main():
    chain()
    print()
    loop_race.main()
    print()
    whole_calls()


if __name__ == "__main__":
    main()
