"""Random machines, each written in another form: `python tests/campaigns/rewritten.py --seconds 60 [--first SEED]`.

Units, frames of bodies, the first body of a joint, the order of tables and the output step do not change an answer.
Families are the studies, and the examples that touch and roll, written otherwise; a case is its seed and its family.
"""

import sys
import tempfile
from pathlib import Path

from tallied import campaign

sys.path.append(str(Path(__file__).parents[1]))

import file_answers
from rewriting import KINDS, STUDIES, Form, answers, form_of, largest_difference, world_of

import mubo

EXAMPLES = Path(__file__).parents[2] / "examples"

# Relative: of solved equations rounding, of simulations what their tolerances leave.
ALLOWED = {"kinematics": 1e-9, "inverse": 1e-8, "simulate": 1e-5, "statics": 1e-7, "linearize": 1e-6}


def case(seed, study, kind=""):
    """What came of one case: a word that begins with "right" or "WRONG", and what was seen."""
    if study == "contact":
        return _of_file(seed)
    world = world_of(seed, study not in ("kinematics", "inverse"))
    kind = kind or ("all", *KINDS)[seed % (len(KINDS) + 1)]
    form = form_of(world, kind, seed)
    try:
        plain = answers(world, Form(), study)
    except mubo.MuboError as error:
        return "skipped: refused in its plain form", str(error).split("\n")[0]
    try:
        away, name = largest_difference(plain, answers(world, form, study))
    except mubo.MuboError as error:
        return f"WRONG: refused by {kind}", str(error).split("\n")[0]
    if not away <= ALLOWED[study]:
        return f"WRONG: depends on {kind}", f"{name} by {away:.2g}; {form}"
    return "right", ""


def _of_file(seed):
    """What came of an example with contacts or rolling, written in a random form."""
    name = list(file_answers.SPANS)[seed % len(file_answers.SPANS)]
    kind = ("all", *KINDS)[seed // len(file_answers.SPANS) % (len(KINDS) + 1)]
    with tempfile.TemporaryDirectory() as folder:
        away, where = file_answers.change_by_form(EXAMPLES / f"{name}.toml", kind, seed, Path(folder))
    return ("right", "") if away <= file_answers.ALLOWED else (f"WRONG: {name} by {kind}", f"{where}: {away:.2g}")


if __name__ == "__main__":
    campaign(__doc__, (*STUDIES, "contact"), case)
