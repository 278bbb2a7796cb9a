"""The sections of a card deck: its vectors and loops, how they close, and the equations that were solved."""

from __future__ import annotations

from mubo.mechanism.formulations.deck import DeckLoops
from mubo.model.linkage import signed_names, vector_name
from mubo.results import Run
from mubo.view.report.loop_equations import linear_equations, polygon_equations
from mubo.view.report.markup import Markup, facts, heading, paragraph, section, table


def deck_model_section(run: Run) -> Markup:
    """Everything that the cards state."""
    deck: DeckLoops = run.record.inspection
    linkage = deck.linkage
    drive = linkage.drive
    rows = [
        ("deck", f"program MAIN: {len(linkage.lengths)} vectors in {len(linkage.loops)} loops"),
        ("driver", f"the {drive.kind} z1, {drive.rate:g} {'deg' if drive.kind == 'crank' else 'length'} per second")
        if drive is not None
        else ("driver", "none"),
    ]
    links = {vector: deck.free[k] for k, group in enumerate(deck.turning) for vector in group}
    vectors = [
        (vector_name(n), linkage.lengths[n - 1], linkage.angles[n - 1], links.get(n, "frame")) for n in linkage.vectors
    ]
    turned = run.summary.get("closing_rotations_deg", {})
    closing = [(name, float(degrees)) for name, degrees in turned.items()]
    return section(
        "model",
        "Model",
        facts(rows),
        heading("Vectors", table(("vector", "length", "angle on the card [°]", "turns with"), vectors, numeric=(1, 2))),
        heading("Turned so that all loops close", table(("link of", "by [°]"), closing, numeric=(1,))),
    )


def deck_equations_section(run: Run) -> Markup:
    """The closed polygons as the core solved them; φ is how far a link has turned from its place on the cards."""
    deck: DeckLoops = run.record.inspection
    drivers = list(run.model.drivers)
    rows: list[tuple[str, str, Markup]] = []
    for k, loop in enumerate(deck.linkage.loops):
        along_x, along_y = polygon_equations(deck.loops, k, drivers)
        rows += [(f"L{k + 1}: {signed_names(loop.vectors).replace('-', '−')} = 0", "x", along_x), ("", "y", along_y)]
    rows += [("linear", "", equation) for equation in linear_equations(deck.loops, drivers)]
    said = paragraph("Unknown are the angles φ by which the links have turned from where the cards have them.")
    return section(
        "equations", "Equations", said, heading("Equations solved", table(("loop", "along", "equation"), rows))
    )
