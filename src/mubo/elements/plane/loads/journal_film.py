"""Oil film of a journal bearing.

What acts:    the film of a short, cavitated bearing (Ocvirk, π-film) on a journal, the second point with its body, in
              the bearing about the first; it replaces the pin between both bodies.
Positive:     the force acts on the journal and, in the opposite sense, on the bearing; it bears and damps.
Formula:      K ∫ (w ε sin θ − ε̇ cos θ)/(1 + ε cos θ)³ (cos θ, sin θ) dθ over the half circle where the film presses,
              with K = μ R L³/c², w = (ω_i + ω_j)/2 − γ̇, θ from the widest place of the film; shear torque
              2π μ R³ L (ω_j − ω_i)/(c √(1 − ε²)) against the slip
Static:       load = μ R ω L³/(4 c²) ε/(1 − ε²)² √(16 ε² + π² (1 − ε²)), attitude angle atan(π √(1 − ε²)/(4 ε))
Degenerate:   a short bearing is one with L/(2 R) up to about 1. The journal must be within its clearance, ε < 1.
Checked in:   tests/truth/test_journal_film.py
Source:       Ocvirk, Short-bearing approximation for full journal bearings, NACA TN 2808 (1952); Booker, A table of the
              journal-bearing integral, Journal of Basic Engineering 87 (1965)

    [force.film]
    type = "journal_film"
    between = ["ground.O", "shaft.O"]
    radius = 0.02
    clearance = 4e-5
    length = 0.02
    viscosity = 0.03
"""

from mubo.elements.declare import Element, LoadFormula, Option

JOURNAL_FILM = Element(
    name="journal_film",
    key="between",
    rows=(),
    formula=LoadFormula(
        "journal_film",
        ("point_i", "point_j", "radius", "clearance", "length", "viscosity"),
        in_space=(0.0, 0.0, 1.0),
        bears_by_motion=True,
    ),
    options=(
        Option("radius", "length", "radius of the journal", example=1.5, positive=True),
        Option("clearance", "length", "radial clearance of the journal in its bearing", example=40.0, positive=True),
        Option("length", "length", "length of the bearing along its axis", example=1.2, positive=True),
        Option(
            "viscosity",
            "number",
            "dynamic viscosity of the oil",
            example=0.8,
            positive=True,
            measures="stress*time",
        ),
    ),
    summary="oil film between a journal and its bearing",
    word="oil film",
    glyph="bearing",
)
