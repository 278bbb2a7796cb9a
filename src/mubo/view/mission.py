"""A mission in one picture: how hard every part works in each kind of run, and what each contributes to the damage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.applications.strength.checks import governing
from mubo.view.painters.style import figure_style, picture_target, save_figure, title
from mubo.view.scene.colours import COLOURS, INK, QUIET

if TYPE_CHECKING:
    from mubo.applications.strength.report import Strength

SHOWN = 0.04  # of the damage: a smaller share has no number in its bar
VISIBLE = 0.002  # of the damage
CHANGES = "changes from one kind of run to the next"
LONGEST = 34  # letters of the parameters of a kind of run in the legend


def plot_mission(found: Strength, path: str | Path | None) -> Any:
    """The figure, written to `path` where one is given."""
    target = picture_target(path)
    mission = found.mission
    assert mission is not None
    parts = [part for part in found.parts if (check := found.governs(part)) is not None and check.safety]
    with figure_style() as figure_class:
        rows = max(len(parts), len(mission.shares))
        figure = figure_class(figsize=(9.4, 1.8 + 0.13 * len(mission.cases) + 0.34 * rows))
        used, damage = figure.subplots(1, 2)
        _draw_utilisation(used, found, parts)
        _draw_damage(damage, found)
        figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
        figure.suptitle(f"{title(found.run.model.name)}: {len(mission.cases)} kinds of runs")
        save_figure(figure, target)
    return figure


def _draw_utilisation(axes: Any, found: Strength, parts: list[str]) -> None:
    """Draws the required safety of each part over what it has: of every kind of run, and of the mission."""
    assert found.mission is not None
    for k, case in enumerate(found.mission.cases):
        of = [governing(case.found.parts.get(part, [])) for part in parts]
        words = case.label
        words = words if len(words) <= LONGEST else f"{words[:LONGEST]} …"
        rows = [(row, 100 / check.margin) for row, check in enumerate(of) if check is not None]
        axes.plot([x for _, x in rows], [y for y, _ in rows], "o", color=COLOURS[k % len(COLOURS)], ms=5, alpha=0.85,
                  label=f"{case.number}: {case.runs:,} × {words}")  # fmt: skip
    whole = [100 / found.governs(part).margin for part in parts]  # type: ignore[union-attr]
    axes.plot(whole, range(len(parts)), "|", color=INK, ms=13, mew=2, label="mission")
    axes.axvline(100, color=QUIET, lw=1, ls="--")
    axes.set_yticks(range(len(parts)), parts)
    axes.set_ylim(len(parts) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.set_xlabel("required safety over safety [%]")


def _draw_damage(axes: Any, found: Strength) -> None:
    """Shares of the kinds of runs in the damage of links and in the life of rolling bearings."""
    assert found.mission is not None
    grey = False
    for row, shares in enumerate(found.mission.shares.values()):
        left = 0.0
        for k, share in enumerate(shares):
            axes.barh(row, 100 * share, left=100 * left, height=0.62, color=COLOURS[k % len(COLOURS)], alpha=0.85)
            if share > SHOWN:
                axes.text(100 * (left + share / 2), row, f"{100 * share:.0f}", ha="center", va="center", color="white",
                          fontsize=8)  # fmt: skip
            left += share
        if 1 - left > VISIBLE:
            axes.barh(row, 100 * (1 - left), left=100 * left, height=0.62, color=QUIET, label=None if grey else CHANGES)
            grey = True
    axes.set_yticks(range(len(found.mission.shares)), list(found.mission.shares))
    axes.set_ylim(len(found.mission.shares) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share in the damage [%]")
