"""The gallery: every shipped example as a film, a page to play with, its file, and the command that shows it."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from session import PROGRAM

import mubo
from mubo.cli.examples import ORDER, describe, example_files, theme_of

SECONDS = 4  # of a film
ROBOT_SECONDS = 2  # of motion, where an example says nothing: a robot that falls


def write_gallery(folder: Path, output: Path) -> None:
    """Write a page of tiles and a page an example below `folder`; films and pages of reports go below `output`."""
    media = output / "gallery"
    media.mkdir(parents=True, exist_ok=True)
    examples = {
        name: path for name, path in example_files().items() if path.suffix != ".py" and name != "closure"
    }  # a closure moves nothing
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda path: _film(path, media), examples.values()))
    themes: dict[str, list[str]] = {}
    for name, path in examples.items():
        shutil.copy(path, media / path.name)
        themes.setdefault(theme_of(path), []).append(_tile(name, path))
        (folder / f"{name}.md").write_text(_page(name, path))
    sections = [
        f'## {theme}\n\n<div class="gallery">\n{"".join(themes[theme])}</div>\n' for theme in ORDER if theme in themes
    ]
    names = "\n".join(examples)
    (folder / "index.md").write_text(_HEAD + "\n".join(sections) + f"\n```{{toctree}}\n:hidden:\n\n{names}\n```\n")


_HEAD = """# Gallery

Every example that is shipped with mubo, as it moves. `mubo examples NAME` copies one into your folder.

<input class="search-gallery" type="search" placeholder="Search the examples" aria-label="Search the examples"
 oninput="for (const tile of document.querySelectorAll('.tile')) tile.hidden =
 !tile.textContent.toLowerCase().includes(this.value.toLowerCase())">

"""


def _film(path: Path, media: Path) -> None:
    """Write the film and the page of one example; what was made of the same file is kept."""
    mark = media / f"{path.stem}.made"
    if mark.exists() and mark.read_text() == path.read_text():
        return
    with warnings.catch_warnings(action="ignore"):
        model = mubo.load(path)
    end = [] if model.analysis is not None else ["--end", f"{ROBOT_SECONDS}", "--gravity", "0,0,-9.81"]
    speed = ROBOT_SECONDS if end else _duration(model)
    frames = ["--speed", f"{speed / SECONDS:.9g}", "--fps", "10", "--size", "320x240"]
    _call("animate", path, "-o", media / f"{path.stem}.gif", *frames, *end)
    _call("report", path, "-o", media / f"{path.stem}.html", *end)
    mark.write_text(path.read_text())


def _call(*words: object) -> None:
    done = subprocess.run([PROGRAM, *map(str, words), "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: the mechanism locks, which some examples show
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr}")


def _duration(model: mubo.Model) -> float:
    """Return how long the example runs, in its own unit of time."""
    simulated = model.analysis is not None and model.analysis.type == "simulate"
    run = model.simulate() if simulated else model.kinematics()
    return float(run["t"][-1] - run["t"][0])


def _tile(name: str, path: Path) -> str:
    title = name.replace("_", " ")
    picture = f'<img src="../../gallery/{name}.gif" alt="Film of {title}" loading="lazy">'
    return f'<a class="tile" href="{name}.html">{picture}<strong>{title}</strong><span>{describe(path)}</span></a>\n'


def _commands(name: str, path: Path) -> str:
    with warnings.catch_warnings(action="ignore"):  # what a robot file leaves out is told where it is run
        analysis = mubo.load(path).analysis
    verb = analysis.type if analysis else f"simulate --end {ROBOT_SECONDS} --gravity 0,0,-9.81"
    verb, _, options = verb.partition(" ")
    return f"mubo examples {name}\nmubo {verb} {path.name} {options}".rstrip()


def _page(name: str, path: Path) -> str:
    language = {".toml": "toml", ".urdf": "xml", ".xml": "xml"}.get(path.suffix, "text")
    title = name.replace("_", " ")
    page = f"../../gallery/{name}.html"
    return f"""# {title[0].upper()}{title[1:]}

{describe(path)}

<iframe class="mechanism" src="{page}" title="The page of {title}, which moves" loading="lazy"></iframe>

<p><a href="{page}">The page in a window of its own</a> ·
<a href="../../gallery/{path.name}" download>{path.name}</a></p>

```sh
{_commands(name, path)}
```

````{{dropdown}} {path.name}
```{language}
{path.read_text().strip()}
```
````
"""
