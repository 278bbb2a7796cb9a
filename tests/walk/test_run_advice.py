"""Advice where a model file has no [analysis]: a study that fits the model."""

import pytest
from click.testing import CliRunner
from conftest import EXAMPLES

from mubo.cli.main import cli


@pytest.mark.parametrize(("drops", "advice"), [((), "mubo kinematics"), (("driver",), "mubo statics")])
def test_run_names_a_study_that_the_model_can_answer(drops, advice, tmp_path):
    text = (EXAMPLES / "four_bar.toml").read_text()
    tables = ["[" + part for part in text.split("\n[")]
    tables[0] = tables[0][1:]
    kept = [table for table in tables if not table.startswith(tuple(f"[{name}" for name in ("analysis", *drops)))]
    (tmp_path / "m.toml").write_text("\n".join(kept))
    done = CliRunner().invoke(cli, ["run", str(tmp_path / "m.toml")])
    assert "has no [analysis]" in str(done.exception)
    assert advice in str(done.exception)
