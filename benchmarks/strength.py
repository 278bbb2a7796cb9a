"""What strength costs: eight bodies over 1001 rows, beside the kinematics and the inverse dynamics of the same rows.

    python benchmarks/strength.py

Whole calls. The excavator has six pins, three links as beams, clearances and a keep-out; "with envelopes" also cuts
what its bodies sweep.
"""

from __future__ import annotations

from timing import EXAMPLES, Competitor, duration, print_table, race, ratio, sized

import mubo

ROWS = sized(1001, 5)
END = 4.0


def main() -> None:
    """Prints times and ratios."""
    model = mubo.load(EXAMPLES / "excavator.toml")
    times = (0.0, END, END / (ROWS - 1))
    results = race(
        [
            Competitor("kinematics", lambda: model.kinematics(*times)),
            Competitor("inverse dynamics", lambda: model.inverse(*times)),
            Competitor("strength", lambda: model.strength(*times)),
            Competitor("strength with envelopes", lambda: model.strength(*times).clearance.envelopes),
        ],
        rounds=5,
    )
    lines = [["eight bodies, 1001 rows", "time", "of the kinematics"]]
    lines += [[one.name, duration(one.seconds), ratio(one.seconds / results[0].seconds)] for one in results]
    print_table(lines)


if __name__ == "__main__":
    main()
