"""Folders of skills: which can be used, and why the others cannot."""

import random
from pathlib import Path

import pytest

from clawgym_bench.errors import InputError
from clawgym_data.write.assignment import assign, draw_skills
from clawgym_data.write.skills import read_skills


def skill(root: Path, name: str, description: str = "Tidies lists.", body: str = "Sort them.",
          front: str = "") -> None:  # fmt: skip
    folder = root / name
    folder.mkdir(parents=True)
    text = f"---\nname: {name}\ndescription: {description}\n{front}---\n\n# {name}\n\n{body}\n"
    (folder / "SKILL.md").write_text(text)


LEFT_OUT = {
    "mailer": ("Sends mails.", "Set SMTP_PASSWORD first.", "", "credentials: “Set SMTP_PASSWORD"),
    "board": (
        "Moves cards.", "Move them.",
        'metadata: {"openclaw": {"requires": {"env": ["TRELLO_KEY"]}}}\n',
        "credentials: requires TRELLO_KEY",
    ),
    "clips": ("Cuts clips.", "Run ffmpeg on each video file.", "", "media"),
    "weather": ("Tells the weather.", "curl wttr.example/here", "", "live network"),
    "search": ("Finds things.", "Use web_search for it.", "", "live network"),
}  # fmt: skip


def test_skills_that_need_what_a_sandbox_has_not_are_left_out_with_the_reason(
    tmp_path: Path,
) -> None:
    skill(tmp_path, "tidy")
    skill(
        tmp_path / "more", "minutes", "Writes minutes of meetings.", "Read notes/, write minutes."
    )
    for name, (description, body, front, _) in LEFT_OUT.items():
        skill(tmp_path, name, description, body, front)
    found = read_skills(tmp_path)
    assert [one.name for one in found.usable] == ["minutes", "tidy"]
    assert set(found.left_out) == set(LEFT_OUT)
    for name, (*_, reason) in LEFT_OUT.items():
        assert reason in found.left_out[name]


def test_hostile_folders_of_skills_do_no_harm(tmp_path: Path) -> None:
    skill(tmp_path, "tidy")
    skill(tmp_path, "twin")
    (tmp_path / "twin" / "SKILL.md").write_text((tmp_path / "tidy" / "SKILL.md").read_text())
    for name, content in {
        "big": b"---\nname: big\n---\n" + b"x" * 70_000,
        "bytes": b"\xff\xfe\x00",
        "silent": b"no front matter\n",
        "yaml": b"---\nname: [\n---\nbody\n",
        "bomb": b"---\nname: bomb\ndescription: d\n"
        + b"a0: &a0 {x: 1}\n"
        + b"".join(b"a%d: &a%d {x: *a%d, y: *a%d}\n" % (n, n, n - 1, n - 1) for n in range(1, 40))
        + b"---\nbody\n",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_bytes(content)
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "SKILL.md").symlink_to("/etc/passwd")
    found = read_skills(tmp_path)
    assert [one.name for one in found.usable] == ["bomb", "tidy"]
    assert set(found.left_out) == {"big", "bytes", "silent", "twin", "yaml"}


def test_a_folder_without_a_usable_skill_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        read_skills(tmp_path / "none")
    skill(tmp_path, "mailer", "Sends mails.", "You need an API key.")
    with pytest.raises(InputError, match="mailer: needs credentials"):
        read_skills(tmp_path)


def test_a_task_rests_on_one_skill_and_up_to_three_others(tmp_path: Path) -> None:
    for name in ("tidy", "minutes", "budget", "travel", "recipes", "garden"):
        skill(tmp_path, name, f"Keeps {name}.", f"Work on {name} files.", "license: MIT\n")
    skills = read_skills(tmp_path).usable
    counts = {len(draw_skills(random.Random(number), skills)) for number in range(200)}
    assert counts == {1, 2, 3, 4}
    first = assign(3, 0, skills, "m/n")
    assert first == assign(3, 0, skills, "m/n")
    assert first.origin.licence == "MIT"
    assert first.origin.tags[0] == "skill"
    assert f"“{first.origin.stem}”" in first.prompt
    assert "Work on" in first.prompt
