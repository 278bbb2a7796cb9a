"""Any number of four-bars in a row (IFToMM benchmark A02), through the position in which all rods lie on one line."""

import math

import mubo


def n_four_bar(number: int, lean: float = 0.0, rate: float = 1.0) -> mubo.Model:
    """2 N + 1 rods of 1 m and 1 kg: N + 1 cranks on the ground, N couplers. The cranks lean by `lean` clockwise from
    upright and turn with `rate`; they stay parallel, so one angle θ tells all:

        θ'' = c g sin θ,  c = 3 (3N + 1) / (2 (4N + 1))
    """
    model = mubo.Model(f"{number} four-bars", gravity=(0, -9.81))
    angle = math.pi / 2 - lean
    for k in range(number + 1):
        model.ground.point(f"A{k}", (k, 0))
        bar = {"kind": "bar", "between": [f"A{k}", f"B{k}"]}
        model.body(f"crank{k}", (k, 0), angle, {f"A{k}": (0, 0), f"B{k}": (1, 0)}, mass=1.0, shape=bar)
        model.revolute(f"A{k}", f"ground.A{k}", f"crank{k}.A{k}")
    for k in range(number):
        at = (k + math.cos(angle), math.sin(angle))
        bar = {"kind": "bar", "between": [f"B{k}", f"B{k + 1}"]}
        model.body(f"coupler{k}", at, 0.0, {f"B{k}": (0, 0), f"B{k + 1}": (1, 0)}, mass=1.0, shape=bar)
        model.revolute(f"L{k}", f"crank{k}.B{k}", f"coupler{k}.B{k}")
        model.revolute(f"R{k}", f"coupler{k}.B{k + 1}", f"crank{k + 1}.B{k + 1}")
    model.initial("A0", angle, -rate)
    return model


if __name__ == "__main__":
    run = n_four_bar(40).simulate(0, 20, step=0.05)
    energy = run["energy.total"]
    print(f"{len(run.events)} passages of the singular position in 20 s")
    print(f"energy drift {max(abs(energy - energy[0])):.1e} J of {max(run['energy.kinetic']):.0f} J exchanged")
    print(f"loops closed to {run.summary['loops']['gap']:.0e} m")
