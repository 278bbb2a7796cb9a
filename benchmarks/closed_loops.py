"""N four-bars in a row through their singular position (IFToMM A02), 1 s: mubo beside MuJoCo, time against error.

CPU time, shortest of rounds in which the competitors take turns. MuJoCo closes loops softly, here as stiffly as its
step allows; the error of both is that of the first crank's angle against θ'' = c g sin θ integrated to 1e-13. Times are
those of the integration, models made beforehand.
"""

import runpy
from time import process_time

import mujoco
import numpy as np
from scipy.integrate import solve_ivp
from timing import EXAMPLES, duration, print_table, ratio

from mubo import _core
from mubo._core import Status
from mubo.studies.dynamics.integrate import ENERGY_FREE, absolute_tolerances
from mubo.studies.dynamics.simulate import started

SIZES, ROUNDS = (1, 10, 100), 2
n_four_bar = runpy.run_path(str(EXAMPLES / "n_four_bars.py"))["n_four_bar"]


def truth(number):
    c = 3 * (3 * number + 1) / (2 * (4 * number + 1)) * 9.81
    found = solve_ivp(lambda t, y: [y[1], c * np.sin(y[0])], (0, 1), [0, 1], method="DOP853", rtol=1e-13, atol=1e-13)
    return float(found.y[0, -1])


def by_mubo(number, tolerance):
    tree, _ = started(n_four_bar(number).build(), 0.0, 1.0)
    y = np.concatenate([*tree.start(), [0.0, 0.0]])
    atol = absolute_tolerances(tree, len(y), tolerance, ENERGY_FREE)

    def run():
        made = _core.TreeRun(
            tree.system, 0.0, 1.0, y, np.array([0.0, 1.0]), tolerance, atol, 0.0, 1.0, 10**6, np.zeros(0), [], None
        )
        while made.advance(10.0) == Status.running:
            pass
        return float(y[0] - made.last()[0])

    return run


def by_mujoco(number, integrator):
    rod = '<geom type="capsule" fromto="0 0 0 {} 0 {}" size="0.01" mass="0"/>'
    text = f'<mujoco><option timestep="0.001" gravity="0 0 -9.81" integrator="{integrator}"/>'
    text += '<default><equality solref="0.002 1" solimp="0.9999 0.9999 0.001 0.5 2"/></default><worldbody>'
    for k in range(number + 1):
        text += f'<body name="a{k}" pos="{k} 0 0"><joint axis="0 1 0"/>' + rod.format(0, 1)
        text += '<inertial pos="0 0 0.5" mass="1" diaginertia="0.0833333333333 0.0833333333333 1e-6"/>'
        if k < number:
            text += f'<body name="c{k}" pos="0 0 1"><joint axis="0 1 0"/>' + rod.format(1, 0)
            text += '<inertial pos="0.5 0 0" mass="1" diaginertia="1e-6 0.0833333333333 0.0833333333333"/></body>'
        text += "</body>"
    text += "</worldbody><contact/><equality>"
    text += "".join(f'<connect body1="c{k}" body2="a{k + 1}" anchor="1 0 0"/>' for k in range(number))
    model = mujoco.MjModel.from_xml_string(text + "</equality></mujoco>")
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    first = [model.jnt_dofadr[model.body_jntadr[model.body(f"a{k}").id]] for k in range(number + 1)]
    coupler = [model.jnt_dofadr[model.body_jntadr[model.body(f"c{k}").id]] for k in range(number)]

    def run():
        mujoco.mj_resetData(model, data)
        data.qvel[first], data.qvel[coupler] = 1.0, -1.0
        mujoco.mj_step(model, data, 1000)
        return float(data.qpos[first[0]])

    return run


def main():
    lines = [["", *(f"N = {n}" for n in SIZES), "exponent", "errors"]]
    makers = {
        "mubo, 1e-5": lambda n: by_mubo(n, 1e-5),
        "mubo, 1e-8": lambda n: by_mubo(n, 1e-8),
        "MuJoCo implicitfast 1 ms": lambda n: by_mujoco(n, "implicitfast"),
        "MuJoCo RK4 1 ms": lambda n: by_mujoco(n, "RK4"),
    }
    times, errors = {name: [] for name in makers}, {name: [] for name in makers}
    for number in SIZES:
        runs, wanted = {name: make(number) for name, make in makers.items()}, truth(number)
        best = dict.fromkeys(makers, np.inf)
        for _ in range(ROUNDS):
            for name, run in runs.items():
                began = process_time()
                answer = run()
                best[name] = min(best[name], process_time() - began)
                errors[name].append(abs(answer - wanted))
        for name in makers:
            times[name].append(best[name])
    for name, seconds in times.items():
        slope = np.polyfit(np.log(SIZES), np.log(seconds), 1)[0]
        cells = [f"{duration(s)} ({ratio(s / f)})" for s, f in zip(seconds, times["mubo, 1e-8"], strict=True)]
        lines.append([name, *cells, f"{slope:.2f}", f"{min(errors[name]):.0e} to {max(errors[name]):.0e}"])
    print_table(lines)


if __name__ == "__main__":
    main()
