"""A scissor lift of any number of stages, built in Python and raised by its lowest bar."""

import math

import mubo


def scissor_lift(stages: int, arm: float = 1.0, start: float = 0.5, rate: float = 0.2) -> mubo.Model:
    """Two crossed bars per stage. The foot of the rising bar is pinned, the other foot slides on the ground.

    The bars of half-length `arm` stand at ±angle; angle = start + rate · t drives the lift.
    """
    model = mubo.Model(f"scissor lift, {stages} stages")
    half, rise = arm * math.cos(start), arm * math.sin(start)
    ends = {"low": (-arm, 0), "middle": (0, 0), "high": (arm, 0)}
    model.ground.point("foot", (-half, 0))
    model.ground.point("rail", (0, 0))
    for k in range(stages):
        height = (2 * k + 1) * rise
        model.body(f"up{k}", (0, height), start, ends)
        model.body(f"down{k}", (0, height), math.pi - start, ends)
        model.revolute(f"centre{k}", f"up{k}.middle", f"down{k}.middle")
        if k:
            model.revolute(f"left{k}", f"down{k - 1}.high", f"up{k}.low")
            model.revolute(f"right{k}", f"up{k - 1}.high", f"down{k}.low")
    model.body("slider", (half, 0), 0.0, {"pin": (0, 0)})
    model.revolute("foot", "ground.foot", "up0.low")
    model.revolute("pin", "down0.low", "slider.pin")
    model.translational("rail", "ground.rail", "slider.pin", axis=(1, 0), angle=0)
    model.driver("jack", "up0.phi", f"{start!r} + {rate!r}*t")
    model.point("top", f"up{stages - 1}", (arm, 0))
    return model


if __name__ == "__main__":
    run = scissor_lift(stages=6).kinematics(0, 2, step=0.05)
    print(f"the top rises from {run['top.y'][0]:.3f} to {run['top.y'][-1]:.3f}")
    print(f"residual {run.summary['residual']['position']:.1e}")
