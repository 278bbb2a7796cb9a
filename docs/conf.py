"""The site of mubo: `make docs` builds it from this folder into site/."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "mubo"
author = "mubo developers"
copyright = "mubo developers, MIT licence"
version = release = installed_version("mubo")

extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "mathml",
    "shell",
    "generated",
    "reachable",
]
exclude_patterns = ["extensions", "static", "generated/notebooks"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
suppress_warnings = ["myst.strikethrough"]

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_cache_path = str(Path(__file__).parent.parent / "build" / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_in_temp = True  # notebooks copy examples into their folder
nb_merge_streams = True

html_theme = "furo"
html_title = f"mubo {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#7ab7f0", "color-brand-content": "#7ab7f0"},
}
math_numfig = True
numfig = True
autodoc_typehints = "signature"
copybutton_prompt_text = "$ "
