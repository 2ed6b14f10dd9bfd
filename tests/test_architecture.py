"""What may import what. The rules keep each library in one place and the direction one-way.

Every test lists offenders by file, so that a red one says where to look.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "core").rglob("*.py"))
PAGES = sorted((ROOT / "pages").rglob("*.py"))
PAGE_SCRIPTS = [path for path in PAGES if path.parent == ROOT / "pages"]
PRODUCT = [*CORE, *PAGES, ROOT / "app.py"]

HEAVY = [
    *("docling", "docling_core", "torch", "torchvision"),
    *("rapidocr", "onnxruntime", "cv2", "azure"),
    *("wordllama", "tokenizers", "openai", "httpx2", "sentence_transformers"),
]
PLACES = {
    ("streamlit",): ["pages", "app.py"],
    ("pymupdf", "fitz", "pymupdf4llm"): ["core/parsers", "core/render.py", "core/render_lines.py"],
    ("docling", "docling_core", "torch", "torchvision"): ["core/parsers"],
    ("azure",): ["core/parsers"],
    ("rapidocr", "onnxruntime", "cv2"): ["core/parsers/ocr"],
    ("plotly",): ["core/view/figures.py", "core/view/figures_tune.py", "pages/ui"],
    ("bm25s", "Stemmer"): ["core/retrieval", "core/words"],
    ("regex", "babel"): ["core/words"],
    ("rapidfuzz",): ["core/words", "core/compare", "core/tuning"],
    ("wordllama", "tokenizers"): ["core/embedding"],
    ("openai", "httpx2", "sentence_transformers"): ["core/embedding"],
    ("scipy",): ["core/compare", "core/embedding", "core/tuning"],
    ("Bio",): ["core/compare"],
    ("jinja2",): ["core/report", "core/compare"],
    ("toktok", "toktok_rs"): ["core/tokens.py"],
}
"""Libraries, and the only files and folders that may import them."""

TOO_HIGH = {
    "core/errors.py": ["core"],
    "core/frames.py": ["core"],
    "core/geometry.py": ["core"],
    "core/parsers": ["core.tables", "core.lint", "core.retrieval", "core.view"],
    "core/tables": ["core.parsers", "core.lint", "core.retrieval", "core.view"],
    "core/lint": [
        "core.parsers",
        "core.retrieval",
        "core.view",
        "core.library",
        "core.store",
        "core.render",
        "core.tokens",
    ],
    "core/embedding": ["core.parsers", "core.tables", "core.lint", "core.retrieval", "core.view"],
    "core/words": [
        "core.parsers",
        "core.tables",
        "core.lint",
        "core.embedding",
        "core.retrieval",
        "core.view",
    ],
    "core/retrieval": ["core.parsers", "core.lint", "core.view"],
}
"""Files and folders, and what of core they may not import: whatever comes after them."""

GROUND = ["core.errors", "core.frames", "core.geometry"]
TOP_LEVEL = {"app.py", "pages", "core", "tests", "assets", "requirements.txt", "README.md"}


def test_each_library_has_its_place() -> None:
    offenders = {
        name_of(path): found
        for libraries, places in PLACES.items()
        for path in PRODUCT
        if not within(path, places)
        if (found := among(imports(path), libraries))
    }
    assert offenders == {}


def test_docling_waits_until_it_is_chosen() -> None:
    found = {name_of(path): among(imports_at_load(path), HEAVY) for path in PRODUCT}
    assert {name: heavy for name, heavy in found.items() if heavy} == {}


def test_importing_core_brings_in_nothing_heavy() -> None:
    heavy = [*HEAVY, "streamlit", "pymupdf", "fitz"]
    script = f"import sys, core; print(*[name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_core_does_not_know_the_pages() -> None:
    found = {name_of(path): among(imports(path), ["pages", "app"]) for path in CORE}
    assert {name: up for name, up in found.items() if up} == {}


def test_the_path_of_a_document_runs_one_way() -> None:
    offenders = {
        name_of(path): found
        for place, later in TOO_HIGH.items()
        for path in CORE
        if within(path, [place])
        if (found := [name for name in among(imports(path), later) if not on_ground(name)])
    }
    assert offenders == {}


def test_no_page_imports_another() -> None:
    scripts = {path.stem for path in PAGE_SCRIPTS} - {"__init__"}
    offenders = {
        name_of(path): found
        for path in PAGES
        if (found := among(imports(path), [f"pages.{name}" for name in scripts - {path.stem}]))
    }
    assert offenders == {}


def test_caches_live_in_one_file() -> None:
    assert users("cache_data", "cache_resource") <= {"pages/ui/cached.py"}


@pytest.mark.parametrize(
    ("attribute", "besides"),
    [
        # A component's wrapper reads the value of its own key, and keeps nothing else there.
        (
            "session_state",
            [
                "pages/ui/page_view",
                "pages/ui/row_list",
                "pages/ui/shortcuts",
                "pages/ui/notes_view",
                "pages/ui/paragraph_list",
            ],
        ),
        ("query_params", []),
    ],
)
def test_state_lives_in_two_files(attribute: str, besides: list[str]) -> None:
    allowed = ["pages/ui/state", "pages/ui/frame.py", *besides]
    allowed += [f"{place}.py" for place in besides]
    assert [name for name in sorted(users(attribute)) if not within(ROOT / name, allowed)] == []


def test_the_top_level_holds_what_is_named_and_no_more() -> None:
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert visible - {"LICENSE", "__pycache__", "venv"} == TOP_LEVEL


def imports(path: Path) -> Iterator[str]:
    """Dotted names of every module that a file imports, at whatever depth."""
    for node in ast.walk(tree(path)):
        yield from _imported(node, path)


def imports_at_load(path: Path) -> Iterator[str]:
    """Those imported as soon as the file is: outside functions and `if TYPE_CHECKING`."""
    waiting: list[ast.AST] = [tree(path)]
    while waiting:
        node = waiting.pop()
        yield from _imported(node, path)
        waiting += _run_at_load(node)


def among(names: Iterable[str], packages: Iterable[str]) -> list[str]:
    """The names that are, or belong to, one of the packages."""
    inside = tuple(f"{package}." for package in packages)
    return sorted({name for name in names if f"{name}.".startswith(inside)})


def on_ground(name: str) -> bool:
    """Whether a name of core is of its lowest layer, or only the way to it."""
    return name == "core" or bool(among([name], GROUND))


def users(*attributes: str) -> set[str]:
    """Files that use one of the attributes, by name or after a dot."""
    return {name_of(path) for path in PRODUCT if names_used(path) & set(attributes)}


def names_used(path: Path) -> set[str]:
    nodes = list(ast.walk(tree(path)))
    after_dots = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    imported = {name.split(".")[-1] for name in imports(path)}
    return after_dots | imported | {node.id for node in nodes if isinstance(node, ast.Name)}


def within(path: Path, places: Iterable[str]) -> bool:
    """Whether a file is, or lies under, one of the places, given from the root."""
    return any(f"{name_of(path)}/".startswith(f"{place}/") for place in places)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _run_at_load(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return []
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return list(node.orelse)
    return list(ast.iter_child_nodes(node))


def _imported(node: ast.AST, path: Path) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    package = path.relative_to(ROOT).parts[: -node.level] if node.level else ()
    module = ".".join([*package, *([node.module] if node.module else [])])
    return [module, *(f"{module}.{name.name}" for name in node.names)]
