"""Installing from the sources: the script of the report page is built where npm is, and its absence is stated."""

import shutil
import subprocess

import pytest
from conftest import ROOT

ASSETS = "src/mubo/view/report/assets"
CMAKE = shutil.which("cmake")


def install(folder, npm=""):
    """The step of the build that makes the assets, with a program `npm` or without; what it printed."""
    programs = folder / "bin"
    programs.mkdir()
    (folder / "web" / "report").mkdir(parents=True)
    if npm:
        (programs / "npm").write_text(f"#!/bin/sh\n{npm}\n")
        (programs / "npm").chmod(0o755)
    words = [f"-DMUBO_SOURCE={folder}", "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF"]
    words += [f"-DCMAKE_PROGRAM_PATH={programs}", "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF"]
    done = subprocess.run(
        [CMAKE, *words, "-P", ROOT / "cmake" / "report_assets.cmake"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return " ".join((done.stdout + done.stderr).split())


pytestmark = pytest.mark.skipif(CMAKE is None, reason="needs cmake, with which mubo is built")


def test_without_npm_the_installation_goes_on_and_says_what_is_missing(tmp_path):
    told = install(tmp_path)
    assert "npm was not found" in told
    assert "`mubo report` and run.show() will not work" in told


def test_npm_builds_the_script(tmp_path):
    folder = tmp_path / ASSETS
    files = " ".join(str(folder / name) for name in ("plane.js", "space.js", "report.css"))
    made = f'echo "$@" >> {tmp_path}/asked; mkdir -p {folder}; touch {files}'
    assert "will not work" not in install(tmp_path, made)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [line.split()[0] for line in asked] == ["ci", "run"]
    assert asked[1].endswith("build")


def test_a_build_that_fails_is_stated(tmp_path):
    assert "npm could not build it (7)" in install(tmp_path, "exit 7")
