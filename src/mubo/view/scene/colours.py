"""Colour-blind safe colours (Okabe and Ito 2008), one per body throughout a run, and text dark enough to read."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#8C6D1F")
INK, QUIET, GRID = "#222222", "#6b6b6b", "#e3e3e3"
GROUND_COLOUR, STEEL, LOAD_COLOUR = "#8a8a8a", "#b9bec4", "#B3003C"
CONTRAST = 4.5  # of text on white, at least
SHEER = "38"  # opacity of plates and wheels, of ff


def colours_of(names: list[str]) -> dict[str, str]:
    """The colours of bodies by name: the same in every picture of a run."""
    return {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}


def tone(name: str, colour: str) -> str:
    """The colour of a tone of view/scene/strokes, for a body of a colour: #rrggbb, or #rrggbbaa if it is sheer."""
    if name == "faint":
        return colour + SHEER
    fixed = {"frame": GROUND_COLOUR, "shade": "#ececec", "steel": "#d5d8dc", "load": LOAD_COLOUR, "ink": INK}
    mixed = {"own": 0.0, "pale": 0.72}
    return tint(colour, mixed[name]) if name in mixed else fixed.get(name, "#ffffff")


def readable(colour: str) -> str:
    """A colour for text on white: darkened until its contrast is 4.5 or more (WCAG 2.2, 1.4.3)."""
    dark = [float(int(colour[k : k + 2], 16)) for k in (1, 3, 5)]
    while contrast("#" + "".join(f"{round(p):02x}" for p in dark)) < CONTRAST:
        dark = [0.97 * p for p in dark]
    return "#" + "".join(f"{round(p):02x}" for p in dark)


def contrast(colour: str) -> float:
    """The contrast of a colour on white: (1 + 0.05) / (L + 0.05) with its relative luminance L (WCAG 2.2)."""
    r, g, b = linear_rgb(colour)
    return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)


def linear_rgb(colour: str) -> tuple[float, ...]:
    """Red, green, blue from 0 to 1 proportional to light, as renderers want them (sRGB, IEC 61966-2-1)."""
    steps = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in steps)


def tint(colour: str, part: float) -> str:
    """A colour mixed with white."""
    parts = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(p + (255 - p) * part):02x}" for p in parts)


def shade(colour: str, part: float) -> str:
    """A colour mixed with black."""
    return "#" + "".join(f"{round(int(colour[k : k + 2], 16) * (1 - part)):02x}" for k in (1, 3, 5))
