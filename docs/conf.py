"""How Sphinx builds the documentation: `make docs`. Nothing on the site is loaded from elsewhere."""

import sys
from pathlib import Path

import kaitai_gguf

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "kaitai_gguf"
author = "the authors of kaitai_gguf"
version = release = kaitai_gguf.__version__

own = ["commands", "docstrings", "offline", "public_names", "repository_links"]  # in extensions/
extensions = ["myst_parser", "sphinx.ext.autodoc", *own]
exclude_patterns = ["extensions"]
suppress_warnings = [
    "ref.python",  # an annotation `type` could be several attributes
]

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

smartquotes_action = "qe"  # quotes and ellipses, but no dashes: `--` starts an option

default_role = "py:obj"  # single backticks in docstrings: a link where there is something to link to
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": True}
python_use_unqualified_type_names = True
add_module_names = False
maximum_signature_line_length = 88

# Every reference has to lead somewhere, except to what other projects document: the build has no network to ask them.
nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", r".*"),  # backticks are for code as well
    ("py:.*", r"(?!kaitai_gguf\b).*"),
    ("py:class", r"kaitai_gguf\.types\.KeyType"),  # a pair
    ("py:class", r"kaitai_gguf\.errors\.Hint"),  # a text
]

html_theme = "furo"
html_show_copyright = False
html_title = f"kaitai_gguf {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}
