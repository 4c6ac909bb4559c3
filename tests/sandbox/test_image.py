"""The image: its recipe, its check, and its unpacked form beneath bwrap."""

from pathlib import Path

import pytest

from clawgym_bench.errors import InputError, SandboxUnavailable
from clawgym_bench.sandbox import File, open_backend
from clawgym_bench.sandbox.image import build as recipe_module
from clawgym_bench.sandbox.image import build_image, check_image, export_image, image_name
from tests.sandbox.conftest import require


def test_the_package_list_is_sorted_out() -> None:
    names = recipe_module.packages()
    assert len(names) == len(set(names))
    assert {"bash", "git", "jq", "nodejs", "python3", "python3-openpyxl", "sqlite3"} <= set(names)
    assert not any(" " in name for name in names)


def test_the_name_holds_the_version() -> None:
    repository, _, tag = image_name().partition(":")
    assert repository == "clawgym/sandbox"
    assert tag[0].isdigit()


def test_the_mirror_is_found_in_both_forms(tmp_path: Path) -> None:
    deb822 = tmp_path / "debian.sources"
    deb822.write_text("Types: deb\nURIs: http://one.test/debian\nSuites: bookworm\n")
    one_line = tmp_path / "sources.list"
    one_line.write_text(
        "# deb http://no.test/debian x\ndeb [arch=x] http://two.test/debian/ x main\n"
    )
    assert recipe_module.debian_mirror([deb822]) == "http://one.test/debian"
    assert recipe_module.debian_mirror([one_line]) == "http://two.test/debian/"
    assert recipe_module.debian_mirror([tmp_path / "missing"]) == ""


def test_without_root_and_registry_the_ways_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe_module.os, "getuid", lambda: 1000)
    with pytest.raises(SandboxUnavailable, match=r"debootstrap.*--base debian:bookworm-slim"):
        build_image()


@pytest.mark.docker
def test_check() -> None:
    require("docker")
    info = check_image()
    assert info.digest.startswith("sha256:")
    assert info.size > 50 * 2**20
    with pytest.raises(SandboxUnavailable, match="clawgym-bench image build"):
        check_image("clawgym/no-such-image:0")


@pytest.mark.docker
def test_export_into_a_full_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="not empty"):
        export_image(tmp_path)


@pytest.mark.docker
@pytest.mark.bwrap
@pytest.mark.slow
async def test_the_unpacked_image_is_a_root_for_bwrap(tmp_path: Path) -> None:
    require("docker")
    require("bwrap")
    tree = export_image(tmp_path / "image")
    backend = open_backend("bwrap", root=tree)
    try:
        sandbox = await backend.create()
        assert sandbox.facts["root"] == str(tree)
        names = "openpyxl, docx, lxml.etree, pypdf, yaml, dateutil, pandas"
        script = f"import {names}, sys; print(sys.version_info[:2], sys.executable)"
        result = await sandbox.exec(["python3", "-c", script])
        assert result.stdout == b"(3, 11) /usr/bin/python3\n", result.stderr
        await sandbox.write({"x": File(b"1")})
        assert (await sandbox.exec(["whoami"])).stdout == b"agent\n"
        assert not (await sandbox.exec(["touch", "/usr/x"])).ok
        assert (await sandbox.exec(["node", "-e", "console.log(1)"])).ok
        assert (await sandbox.snapshot()).files == {"x": b"1"}
    finally:
        await backend.close()
