"""What a bwrap sandbox sees as its file system, as arguments for bwrap.

Two roots: the host's own `/usr`, read-only, or an unpacked image. Nothing of the host's `/etc`,
`/home`, `/var`, nothing of this project: it holds the expected answers.
"""

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

SITE = "/opt/claw/site"
BIN = "/opt/claw/bin"

# What tasks may use besides Python itself: the office and data libraries that this project
# depends on anyway (so they are there), with what these import. Bound one by one, because a whole
# site-packages would show the agent whatever else is installed.
LIBRARIES = (
    "openpyxl",
    "et_xmlfile",
    "docx",
    "typing_extensions",
    "lxml",
    "pypdf",
    "yaml",
    "dateutil",
    "six",
    "pandas",
    "pytz",
    "tzdata",
    "numpy",
)

# Names, not data: links of Debian's alternatives (awk, vi, java) and the loader's cache.
ETC_FROM_HOST = ("/etc/alternatives", "/etc/ld.so.cache")
IMAGE_FOLDERS = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "opt", "var")


def host_python() -> Path:
    """The interpreter beneath a virtual environment."""
    program = getattr(sys, "_base_executable", None) or sys.executable
    return Path(program).resolve()


def is_within(path: Path, folders: Iterable[Path]) -> bool:
    return any(path == folder or folder in path.parents for folder in folders)


def host_root() -> list[str]:
    """`/usr` of the host, its Python, and the libraries."""
    python = host_python()
    prefix = Path(sys.base_prefix).resolve()
    arguments = [*folders("/etc", BIN, SITE, "/var"), "--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            arguments += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    visible = [Path("/usr")]
    if not is_within(python, visible):
        arguments += folders(str(prefix))
        for name in ("bin", "lib", "lib64"):
            folder = prefix / name
            if folder.is_dir() and not folder.is_symlink():
                arguments += ["--ro-bind", str(folder), str(folder)]
                visible.append(folder)
    arguments += mask(hidden(visible))
    arguments += ["--symlink", str(python), f"{BIN}/python3"]
    arguments += ["--symlink", "python3", f"{BIN}/python"]
    arguments += libraries()
    for source in ETC_FROM_HOST:
        arguments += ["--ro-bind-try", source, source]
    arguments += ["--symlink", "/usr/share/zoneinfo/Etc/UTC", "/etc/localtime"]
    arguments += ["--symlink", "/usr/lib/os-release", "/etc/os-release"]
    return [*arguments, "--symlink", "/tmp", "/var/tmp", "--dir", "/run"]


def image_root(root: Path) -> list[str]:
    """An unpacked image, folder by folder, so that any workspace path can be mounted beside."""
    arguments: list[str] = []
    for name in IMAGE_FOLDERS:
        path = root / name
        if path.is_symlink():
            arguments += ["--symlink", os.readlink(path), f"/{name}"]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), f"/{name}"]
    return [*arguments, "--dir", "/run"]


def folders(*paths: str) -> Iterator[str]:
    """Makes folders and all above them, for everybody: bwrap's own choice is 0700."""
    for path in paths:
        for folder in [*reversed(Path(path).parents), Path(path)][1:]:
            yield from ("--perms", "0755", "--dir", str(folder))


def libraries() -> Iterator[str]:
    """Each library at its own place below `SITE`; those that are not installed are left out."""
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            continue
        origin = Path(spec.origin)
        source = origin.parent if origin.name.startswith("__init__.") else origin
        yield from ("--ro-bind", str(source), f"{SITE}/{source.name}")
        extra = source.with_name(f"{name}.libs")  # where wheels keep their shared objects
        if extra.is_dir():
            yield from ("--ro-bind", str(extra), f"{SITE}/{extra.name}")


def hidden(visible: list[Path]) -> list[Path]:
    """What must never be seen, as far as it lies below what is bound."""
    package = Path(__file__).resolve().parents[1]
    home = package.parent
    found = [home / name for name in ("clawgym_bench", "clawgym_data", "clawgym_train")]
    if (home / "pyproject.toml").exists():
        found.append(home)
    if sys.prefix != sys.base_prefix:
        found.append(Path(sys.prefix).resolve())
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for prefix in {Path(sys.base_prefix).resolve()} - {Path("/usr")}:
        found.append(prefix / "lib" / version / "site-packages")
    found = [path for path in found if path.is_dir() and is_within(path, visible)]
    # A mask cannot be put below a mask.
    return sorted({path for path in found if not is_within(path, set(found) - {path})})


def mask(paths: Iterable[Path]) -> Iterator[str]:
    """An empty read-only folder over each path."""
    for path in paths:
        yield from ("--size", "4096", "--tmpfs", str(path), "--remount-ro", str(path))
