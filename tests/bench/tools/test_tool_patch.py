"""`apply_patch`."""

import pytest

from clawgym_bench.tools import ToolMisuse
from clawgym_bench.tools.patch_format import parse_patch

pytestmark = pytest.mark.bwrap


def patch(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


class TestApply:
    async def test_adds_updates_moves_and_deletes_in_one_go(self, ask, sandbox, put):
        await put({"src/app.py": "a = 1\nb = 2\nc = 3\n", "old.txt": "keep\nchange\n", "gone": "x"})
        text = await ask(
            "apply_patch",
            input=patch(
                "*** Add File: docs/new.md",
                "+# New",
                "+",
                "+text",
                "*** Update File: src/app.py",
                "@@",
                " a = 1",
                "-b = 2",
                "+b = 20",
                " c = 3",
                "*** Update File: old.txt",
                "*** Move to: renamed.txt",
                "@@",
                " keep",
                "-change",
                "+changed",
                "*** Delete File: gone",
            ),
        )
        assert text == (
            "Patch applied:\nA docs/new.md\nM src/app.py\nR old.txt -> renamed.txt\nD gone"
        )
        snapshot = await sandbox.snapshot()
        assert dict(snapshot.files) == {
            "docs/new.md": b"# New\n\ntext\n",
            "src/app.py": b"a = 1\nb = 20\nc = 3\n",
            "renamed.txt": b"keep\nchanged\n",
        }

    async def test_one_section_that_fails_leaves_everything_as_it_was(self, refused, sandbox, put):
        await put({"a.txt": "one\n"})
        text = await refused(
            "apply_patch",
            input=patch(
                "*** Add File: b.txt",
                "+x",
                "*** Update File: a.txt",
                "@@",
                "-two",
                "+three",
            ),
        )
        assert "a.txt: the lines of the hunk at line 5 of the patch cannot be found" in text
        assert "Nothing was changed" in text
        assert dict((await sandbox.snapshot()).files) == {"a.txt": b"one\n"}

    async def test_a_line_after_the_marks_chooses_among_equal_places(self, ask, sandbox, put):
        await put({"a.py": "def f():\n    return 1\n\ndef g():\n    return 1\n"})
        await ask(
            "apply_patch",
            input=patch("*** Update File: a.py", "@@ def g():", "-    return 1", "+    return 2"),
        )
        assert await sandbox.read("a.py") == (b"def f():\n    return 1\n\ndef g():\n    return 2\n")

    async def test_hunks_apply_in_order(self, ask, sandbox, put):
        await put({"a.txt": "x\nx\nx\n"})
        await ask(
            "apply_patch",
            input=patch("*** Update File: a.txt", "@@", "-x", "+1", "@@", "-x", "+2"),
        )
        assert await sandbox.read("a.txt") == b"1\n2\nx\n"

    @pytest.mark.parametrize(
        ("lines", "expected"),
        [
            (["@@", "+end"], b"one\ntwo\nend\n"),
            (["@@ one", "+middle"], b"one\nmiddle\ntwo"),
            (["@@ one", "+end", "*** End of File"], b"one\ntwo\nend\n"),
            (["@@", "-two", "+2", "*** End of File"], b"one\n2\n"),
        ],
    )
    async def test_insertions_go_after_the_named_line_or_to_the_end(
        self, ask, sandbox, put, lines, expected
    ):
        await put({"a.txt": "one\ntwo"})
        await ask("apply_patch", input=patch("*** Update File: a.txt", *lines))
        assert await sandbox.read("a.txt") == expected

    async def test_white_space_may_differ_in_kept_lines_which_stay_as_they_are(
        self, ask, sandbox, put
    ):
        await put({"a.txt": "  one  \ntwo\n"})
        await ask("apply_patch", input=patch("*** Update File: a.txt", "@@", " one", "-two", "+2"))
        assert await sandbox.read("a.txt") == b"  one  \n2\n"

    async def test_crlf_mark_and_odd_bytes_survive(self, ask, sandbox, put):
        await put({"a.txt": b"\xef\xbb\xbfcaf\xe9\r\ntwo\r\n"})
        await ask("apply_patch", input=patch("*** Update File: a.txt", "@@", "-two", "+2", "+3"))
        assert await sandbox.read("a.txt") == b"\xef\xbb\xbfcaf\xe9\r\n2\r\n3\r\n"

    async def test_a_moved_script_stays_executable(self, ask, put):
        await put({"a.sh": "x\n"})
        await ask("exec", command="chmod 755 a.sh")
        await ask("apply_patch", input=patch("*** Update File: a.sh", "*** Move to: bin/a.sh"))
        assert await ask("exec", command="stat -c %a bin/a.sh; ls") == "755\nbin"

    async def test_an_existing_file_is_not_added_unless_deleted_first(
        self, ask, refused, sandbox, put
    ):
        await put({"a.txt": "old\n"})
        add = ["*** Add File: a.txt", "+new"]
        assert "exists already" in await refused("apply_patch", input=patch(*add))
        await ask("apply_patch", input=patch("*** Delete File: a.txt", *add))
        assert await sandbox.read("a.txt") == b"new\n"

    async def test_a_missing_file_is_refused_with_near_names(self, refused, put):
        await put({"src/main.py": "x\n"})
        text = await refused("apply_patch", input=patch("*** Delete File: main.py"))
        assert "src/main.py" in text
        assert "Nothing was changed" in text

    async def test_a_binary_file_is_refused(self, refused, put):
        await put({"a.bin": b"\x00\x01"})
        text = await refused("apply_patch", input=patch("*** Update File: a.bin", "@@", "+x"))
        assert "binary" in text


class TestFormat:
    def test_code_fences_and_talk_around_the_patch_are_ignored(self):
        source = f"Here it is:\n```\n{patch('*** Delete File: a')}\n```"
        assert [item.path for item in parse_patch(source)] == ["a"]

    @pytest.mark.parametrize(
        ("source", "reason"),
        [
            ("", "must begin with"),
            ("*** Begin Patch\n*** Delete File: a", "must begin with"),
            (patch(), "no sections"),
            (patch("hello"), "Line 2 of the patch"),
            (patch("*** Add File: "), "the path is missing"),
            (patch("*** Add File: a", "x"), 'starts with "+"'),
            (patch("*** Update File: a"), 'no lines with "-" or "+"'),
            (patch("*** Update File: a", "@@", " x"), 'no lines with "-" or "+"'),
            (patch("*** Update File: a", "@@", "-x", "y"), "Line 5 of the patch"),
            (patch("*** Delete File: a", "-x"), "has no lines"),
        ],
    )
    def test_what_cannot_be_understood_is_refused_with_its_line(self, source, reason):
        with pytest.raises(ToolMisuse, match=reason.replace("+", r"\+")):
            parse_patch(source)
