"""The shape of the project: what packages offer, and which way imports point."""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = [
    "clawgym_bench",
    "clawgym_bench.agents",
    "clawgym_bench.checks",
    "clawgym_bench.sandbox",
    "clawgym_bench.task",
    "clawgym_bench.tools",
    "clawgym_data",
    "clawgym_train",
]
WITHOUT_INSPECT = ["task", "checks", "sandbox", "tools", "grading.py", "execution.py",
                   "evidence.py", "report.py", "errors.py", "taskset.py"]  # fmt: skip
INSPECT_LAYER = {
    "choices.py", "inspect_adapter.py", "inspect_provider.py", "inspect_tools.py",
}  # fmt: skip


@pytest.mark.parametrize("name", PACKAGES)
def test_public_names_are_exactly_those_in_all(name: str) -> None:
    package = importlib.import_module(name)
    submodules = {
        path.stem for path in Path(str(package.__file__)).parent.iterdir()
        if path.suffix == ".py" or path.is_dir()
    }  # fmt: skip
    for public in package.__all__:
        assert hasattr(package, public), f"{name}.__all__ names {public}, which is not there"
    defined = {
        key for key, value in vars(package).items()
        if not key.startswith("_") and key not in submodules
        and getattr(value, "__module__", "").startswith("clawgym")
    }  # fmt: skip
    assert defined <= set(package.__all__), f"public but not in {name}.__all__"


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def sources(package: str) -> list[Path]:
    return [
        path for path in sorted((ROOT / package).rglob("*.py"))
        if "clawgym_bench/tasks/" not in path.as_posix()
    ]  # fmt: skip


def test_the_benchmark_imports_neither_sibling() -> None:
    for path in sources("clawgym_bench"):
        wrong = {
            name for name in imports(path) if name.startswith(("clawgym_data", "clawgym_train"))
        }
        assert not wrong, f"{path} imports {wrong}"


def test_siblings_do_not_import_each_other() -> None:
    for package, other in (("clawgym_data", "clawgym_train"), ("clawgym_train", "clawgym_data")):
        for path in sources(package):
            assert not {name for name in imports(path) if name.startswith(other)}


def test_the_core_does_not_import_inspect() -> None:
    for name in WITHOUT_INSPECT:
        place = ROOT / "clawgym_bench" / name
        for path in [place] if place.suffix else sorted(place.rglob("*.py")):
            if path.name in INSPECT_LAYER:
                continue
            wrong = {module for module in imports(path) if module.startswith("inspect_ai")}
            assert not wrong, f"{path} imports {wrong}"


def test_grading_needs_no_inspect_at_run_time() -> None:
    import subprocess
    import sys

    code = (
        "import sys; import clawgym_bench.grading, clawgym_bench.execution, clawgym_bench.tools; "
        "sys.exit('inspect_ai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
