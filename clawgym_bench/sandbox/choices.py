"""The sandboxes that a run can choose by name, as Inspect's specs: `-T sandbox=NAME`.

docker, bwrap: our own. inspect-docker: Inspect's own docker provider (needs Engine 24.0.6 and
Compose 2.21). k8s: the package inspect-k8s-sandbox.
"""

import asyncio
import hashlib
import importlib.util
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from inspect_ai.util import ComposeConfig, SandboxEnvironmentSpec

from clawgym_bench.errors import InputError, SandboxUnavailable
from clawgym_bench.sandbox import Backend, Probe, open_backend, probe_bwrap, probe_docker
from clawgym_bench.sandbox.inspect_provider import ClawSandboxConfig
from clawgym_bench.sandbox.protocol import Resources

OWN = ("docker", "bwrap")
SANDBOXES = (*OWN, "inspect-docker", "k8s")
ENGINE_NEEDED = (24, 0, 6)
HOME = "/home/agent"
IMAGE_VARIABLE = "CLAWGYM_K8S_IMAGE"


def sandbox_spec(name: str, workspace: str, limits: Resources) -> SandboxEnvironmentSpec:
    """What Inspect is told to make for one task."""
    if name in OWN:
        config = ClawSandboxConfig(workspace=workspace, resources=limits)
        return SandboxEnvironmentSpec(f"claw-{name}", config)
    if name == "inspect-docker":
        return SandboxEnvironmentSpec("docker", compose_config(workspace, limits))
    if name == "k8s":
        return SandboxEnvironmentSpec("k8s", str(k8s_values(workspace, limits)))
    raise InputError(f"no sandbox {name!r}; there are {', '.join(SANDBOXES)}")


def compose_config(workspace: str, limits: Resources) -> ComposeConfig:
    """Our image, locked down as far as Compose can."""
    from clawgym_bench.sandbox.image import image_name

    disk = limits.disk_mb
    own = "uid=1000,gid=1000,exec,nosuid,nodev"
    service: dict[str, Any] = {
        "image": image_name(),
        "x-local": True,
        "command": ["tail", "-f", "/dev/null"],
        "init": True,
        "user": "1000:1000",
        "working_dir": workspace,
        "environment": {"HOME": HOME, "TZ": "UTC", "LANG": "C.UTF-8"},
        "network_mode": "none",
        "read_only": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "tmpfs": [
            f"{workspace}:{own},mode=0755,size={disk}m",
            f"{HOME}:{own},mode=0755,size={disk // 4}m",
            f"/tmp:{own},mode=1777,size={disk // 4}m",
        ],
        "mem_limit": f"{limits.memory_mb}m",
        "cpus": limits.cpus,
        "pids_limit": limits.processes,
    }
    return ComposeConfig.model_validate({"services": {"default": service}})


def k8s_values(workspace: str, limits: Resources) -> Path:
    """The shipped values with a task's own, in a file that lasts as long as /tmp."""
    shipped = resources.files("clawgym_bench.sandbox").joinpath("k8s-values.yaml").read_text()
    values = yaml.safe_load(shipped)
    service = values["services"]["default"]
    service["image"] = os.environ.get(IMAGE_VARIABLE, service["image"])
    service["workingDir"] = service["volumeMounts"][0]["mountPath"] = workspace
    for part, size in zip(service["volumes"], (1, 4, 4), strict=True):
        part["emptyDir"]["sizeLimit"] = f"{limits.disk_mb // size}Mi"
    quota = {"memory": f"{limits.memory_mb}Mi", "cpu": f"{limits.cpus:g}"}
    service["resources"] = {"requests": quota, "limits": dict(quota)}
    text = yaml.safe_dump(values, sort_keys=False)
    name = f"clawgym-k8s-{os.getuid()}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    folder = Path(tempfile.gettempdir(), name)
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise SandboxUnavailable(f"{folder}: belongs to somebody else; remove it or set TMPDIR")
    target = folder / "values.yaml"
    target.write_text(text)
    return target


def probe(name: str) -> Probe:
    """Asks a sandbox whether it works here; also from inside a running event loop."""
    if name in OWN:
        ask = probe_bwrap() if name == "bwrap" else probe_docker()
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, ask).result()
    return probe_k8s() if name == "k8s" else probe_inspect_docker()


def probe_inspect_docker() -> Probe:
    from clawgym_bench.sandbox.image.build import connect

    try:
        client = connect()
    except SandboxUnavailable as error:
        detail, _, remedy = str(error).partition("; ")
        return Probe(False, detail, remedy)
    version = str(client.version().get("Version", ""))
    client.close()
    numbers = tuple(int(part) for part in version.split("+")[0].split(".")[:3] if part.isdigit())
    if numbers < ENGINE_NEEDED:
        needed = ".".join(map(str, ENGINE_NEEDED))
        return Probe(
            False,
            f"the Docker engine is {version}, and Inspect's provider needs {needed}",
            "use `-T sandbox=docker`, which has no such demand, or a newer engine",
        )
    return Probe(True, f"Docker {version}", "")


def probe_k8s() -> Probe:
    if importlib.util.find_spec("k8s_sandbox") is None:
        return Probe(False, "inspect-k8s-sandbox is not installed", "pip install 'clawgym[scale]'")
    return Probe(True, "inspect-k8s-sandbox (the cluster is asked when the run begins)", "")


def grading_backend() -> Backend:
    """Where checks that run something do so when the agent's sandbox is not one of ours."""
    found = {name: probe(name) for name in OWN}
    for name, result in found.items():
        if result.available:
            return open_backend("docker" if name == "docker" else "bwrap")
    details = "; ".join(f"{name}: {result.detail}" for name, result in found.items())
    raise SandboxUnavailable(
        "some checks of this task set run something, for which ClawGym needs a sandbox of its own "
        f"on this machine, docker or bwrap ({details}); see `clawgym-bench doctor`"
    )
