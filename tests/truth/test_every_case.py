"""Every case of the shared references of forward dynamics, friction and small motions is answered by a test, in both
forms where it is simulated: tests say which by `pytest.mark.truth`, and truth_cases.json has all there are."""

import json

import pytest
from conftest import DATA, ROOT

CASES = {
    f"{file}/{name}": study
    for file, cases in json.loads((DATA / "truth_cases.json").read_text()).items()
    for name, study in cases.items()
}
FORMS = {"simulate": {"tree", "absolute"}, "inverse": {""}, "linearize": {""}}


class Claims:
    """What collection finds: for every case the forms in which tests answer it."""

    def __init__(self):
        self.forms = {}

    def pytest_collection_finish(self, session):
        for item in session.items:
            given = item.callspec.params if hasattr(item, "callspec") else {}
            form = given.get("form", given.get("formulation", ""))
            for mark in item.iter_markers("truth"):
                for case in mark.args:
                    self.forms.setdefault(case, set()).add(form)


@pytest.fixture(scope="module")
def claimed():
    folder, found = ROOT / "tests" / "truth", Claims()
    files = [path for path in folder.glob("test_*.py") if "mark.truth(" in path.read_text()]
    words = ["--collect-only", "-m", "truth", "-p", "no:xdist", f"--rootdir={ROOT}"]
    assert pytest.main([*words, *map(str, files)], plugins=[found]) == 0
    return found.forms


@pytest.mark.parametrize("case", CASES)
def test_a_test_answers_it(case, claimed):
    assert claimed.get(case, set()) >= FORMS[CASES[case]]


def test_no_test_answers_what_is_not_there(claimed):
    assert claimed.keys() <= CASES.keys()
