"""The sandbox image: built from a registry's base, or by debootstrap where there is none.

Both ways install `image/packages.txt` and run `image/prepare.sh`. An image is named by this
project's version; containers name it by its digest in their facts.
"""

import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING

import docker
from docker.errors import APIError, BuildError, DockerException, ImageNotFound

from clawgym_bench.errors import InputError, SandboxUnavailable

if TYPE_CHECKING:
    from docker.client import DockerClient

REPOSITORY = "clawgym/sandbox"
SUITE = "bookworm"
LABEL_RECIPE = "clawgym.recipe"
BUILD_COMMAND = "clawgym-bench image build"


@dataclass(frozen=True)
class ImageInfo:
    """An image that is there: name, content digest, unpacked size in bytes.

    `current` is false when it was built from another recipe than this program carries.
    """

    name: str
    digest: str
    size: int
    current: bool


def recipe() -> str:
    """Identifies what the image is made from: its package list and script."""
    parts = [SUITE, image_file("packages.txt"), image_file("prepare.sh")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def image_name() -> str:
    return f"{REPOSITORY}:{metadata.version('clawgym')}"


def packages() -> list[str]:
    lines = image_file("packages.txt").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def image_file(name: str) -> str:
    return resources.files("clawgym_bench.sandbox.image").joinpath(name).read_text("utf-8")


def connect() -> "DockerClient":
    """A client for the daemon of the environment; raises `SandboxUnavailable`."""
    try:
        client = docker.from_env(timeout=120)
        client.ping()
    except (DockerException, OSError) as error:
        raise SandboxUnavailable(
            f"no Docker daemon answers ({error}); start it (`sudo systemctl start docker`, or "
            "`sudo dockerd &`), set DOCKER_HOST, or use `-T sandbox=bwrap`"
        ) from error
    return client


def check_image(name: str | None = None) -> ImageInfo:
    """The image as the daemon has it; raises `SandboxUnavailable` when it is not there."""
    name = name or image_name()
    client = connect()
    try:
        image = client.images.get(name)
    except ImageNotFound as error:
        raise SandboxUnavailable(f"no image {name}; make it with `{BUILD_COMMAND}`") from error
    finally:
        client.close()
    labels = (image.attrs.get("Config") or {}).get("Labels") or {}
    return ImageInfo(
        name=name,
        digest=str(image.id),
        size=int(image.attrs.get("Size", 0)),
        current=labels.get(LABEL_RECIPE) == recipe(),
    )


def build_image(base: str | None = None, name: str | None = None) -> ImageInfo:
    """Builds the image and returns it.

    With `base` (for example "debian:bookworm-slim") the Dockerfile is used, and packages come over
    the daemon's network. Without, debootstrap makes the tree on this machine, which needs root.
    Raises `SandboxUnavailable` with what is missing.
    """
    name = name or image_name()
    if base:
        build_from_registry(base, name)
    else:
        with tempfile.TemporaryDirectory(prefix="clawgym-image-", dir="/var/tmp") as folder:
            tree = Path(folder, "root")
            bootstrap(tree)
            import_tree(tree, name)
    return check_image(name)


def build_from_registry(base: str, name: str) -> None:
    client = connect()
    try:
        with resources.as_file(resources.files("clawgym_bench.sandbox.image")) as folder:
            client.images.build(
                path=str(folder),
                tag=name,
                buildargs={"BASE": base},
                labels={LABEL_RECIPE: recipe()},
                rm=True,
            )
    except (APIError, BuildError) as error:
        raise SandboxUnavailable(f"cannot build {name} from {base}: {error}") from error
    finally:
        client.close()


def bootstrap(tree: Path) -> None:
    """Installs Debian and our packages into `tree`."""
    if os.getuid() != 0 or shutil.which("debootstrap") is None:
        raise SandboxUnavailable(
            f"without a registry the image is made by debootstrap as root "
            f"(`apt-get install debootstrap`, then `sudo {BUILD_COMMAND}`); with a registry: "
            f"`{BUILD_COMMAND} --base debian:{SUITE}-slim`"
        )
    include = "--include=" + ",".join(packages())
    # The host may keep a mirror of its own.
    found = debian_mirror(apt_sources())
    mirror = [found] if found else []
    run("debootstrap", "--variant=minbase", include, SUITE, str(tree), *mirror)
    script = tree / "prepare.sh"
    script.write_text(image_file("prepare.sh"))
    # Nothing of the host's environment may leak into what runs in there.
    run("chroot", str(tree), "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin", "sh", "/prepare.sh")
    script.unlink()


def apt_sources() -> list[Path]:
    return [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]


def debian_mirror(sources: Iterable[Path]) -> str:
    """The first Debian archive that these apt sources name ("" when they name none)."""
    for path in sources:
        if not path.is_file():
            continue
        for line in path.read_text(errors="replace").splitlines():
            if line.startswith(("#", "deb-src")):
                continue
            for word in line.split():
                if word.startswith(("http://", "https://")) and word.rstrip("/").endswith(
                    "/debian"
                ):
                    return word
    return ""


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = (done.stdout + done.stderr)[-1_000:]
        raise SandboxUnavailable(f"{command[0]} failed ({done.returncode}): {tail}")


def import_tree(tree: Path, name: str) -> None:
    client = connect()
    label = f'LABEL {LABEL_RECIPE}="{recipe()}"'
    try:
        with tempfile.NamedTemporaryFile(suffix=".tar", dir=tree.parent) as archive:
            # GNU tar keeps what Python's module loses or slows down: owners, links, sparse files.
            run("tar", "--numeric-owner", "-C", str(tree), "-cf", archive.name, ".")
            repository, _, tag = name.rpartition(":")
            answer = client.api.import_image(
                src=archive.name,
                repository=repository,
                tag=tag,
                changes=["WORKDIR /workspace", label],
            )
        problem = json.loads(str(answer).strip().splitlines()[-1]).get("error")
        if problem:
            raise SandboxUnavailable(f"the daemon did not take the image: {problem}")
    finally:
        client.close()


def export_image(folder: Path, name: str | None = None) -> Path:
    """Unpacks the image into `folder`, a root for `BwrapBackend(root=folder)`."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder}: is not empty")
    info = check_image(name)
    folder.mkdir(parents=True, exist_ok=True)
    client = connect()
    try:
        container = client.containers.create(info.name, command=["true"], network_mode="none")
        try:
            stream = StreamReader(container.export())  # type: ignore[arg-type]  # bytes, whatever the stubs say
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                archive.extractall(folder, filter=keep)
        finally:
            container.remove(force=True)
    finally:
        client.close()
    folder.chmod(0o755)
    return folder


def keep(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    """Devices stay out; so does whatever would leave the folder."""
    if member.isdev():
        return None
    if member.issym() and member.linkname.startswith("/"):
        return member  # resolved inside the sandbox only
    return tarfile.tar_filter(member, folder)


class StreamReader(io.RawIOBase):
    """A file over an iterator of byte strings."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks, self.left = iter(chunks), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        if not self.left:
            self.left = next(self.chunks, b"")
        count = min(len(buffer), len(self.left))
        buffer[:count] = self.left[:count]
        self.left = self.left[count:]
        return count
