"""`write` and `edit`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgym_bench.tools.textfile import TextFile, parse_text
from clawgym_bench.tools.writing import _with_line_ends

pytestmark = pytest.mark.bwrap


class TestWrite:
    async def test_makes_the_file_and_its_directories(self, ask, sandbox):
        text = await ask("write", path="a/b/c.txt", content="Zoë\nx")
        assert text == "Wrote a/b/c.txt: 2 lines, 6 bytes."
        assert await sandbox.read("a/b/c.txt") == "Zoë\nx".encode()

    async def test_replaces_all_of_a_file_and_says_so(self, ask, sandbox, put):
        await put({"a.txt": "longer than before"})
        assert "replacing 18 bytes" in await ask("write", path="a.txt", content="x")
        assert await sandbox.read("a.txt") == b"x"

    async def test_keeps_the_permissions_of_a_script(self, ask, put):
        await put({"run.sh": "old"})
        await ask("exec", command="chmod 750 run.sh")
        await ask("write", path="run.sh", content="new")
        assert await ask("exec", command="stat -c %a run.sh") == "750"

    @pytest.mark.parametrize("path", ["d", "d/", "new/"])
    async def test_a_directory_is_refused(self, refused, put, path):
        await put({"d/a.txt": "x"})
        assert "directory" in await refused("write", path=path, content="x")

    async def test_what_the_sandbox_forbids_is_told(self, refused):
        assert "cannot be written" in await refused("write", path="/usr/x.txt", content="x")

    async def test_a_file_in_place_of_a_directory_is_told(self, refused, put):
        await put({"a": "x"})
        assert "cannot be written" in await refused("write", path="a/b.txt", content="x")

    async def test_half_a_surrogate_pair_is_refused(self, refused):
        assert "surrogate" in await refused("write", path="a.txt", content="x\ud83d")


class TestEdit:
    async def test_replaces_pieces_all_found_in_the_original(self, ask, sandbox, put):
        await put({"a.txt": "alpha\nbeta\ngamma\n"})
        text = await ask(
            "edit",
            path="a.txt",
            edits=[
                {"oldText": "gamma", "newText": "alpha"},
                {"oldText": "alpha", "newText": "first"},
            ],
        )
        assert await sandbox.read("a.txt") == b"first\nbeta\nalpha\n"
        assert text == "Edited a.txt: 2 replacements at lines 1, 3."

    async def test_one_bad_piece_changes_nothing(self, refused, sandbox, put):
        await put({"a.txt": "alpha\n"})
        edits = [{"oldText": "alpha", "newText": "x"}, {"oldText": "nope", "newText": "y"}]
        text = await refused("edit", path="a.txt", edits=edits)
        assert text.startswith("edits[1].oldText was not found in a.txt.")
        assert await sandbox.read("a.txt") == b"alpha\n"

    async def test_text_found_twice_is_refused_with_its_lines(self, refused, put):
        await put({"a.txt": "x\ny\nx\n"})
        text = await refused("edit", path="a.txt", edits=[{"oldText": "x", "newText": "z"}])
        assert "occurs 2 times in a.txt, at lines 1, 3" in text

    @pytest.mark.parametrize(
        ("old", "hint"),
        [
            ("  beta", "Line 2 differs only in white space"),
            ("it's", "Line 3 differs only in white space or in quotes"),
            ("beta\ndelta", "Its first line is at line 2"),
            ("missing", "Read the file again"),
        ],
    )
    async def test_text_not_found_is_refused_with_a_hint(self, refused, put, old, hint):
        await put({"a.txt": "alpha\n\tbeta\nit’s\n"})
        text = await refused("edit", path="a.txt", edits=[{"oldText": old, "newText": "x"}])
        assert hint in text
        assert "Nothing was changed" in text

    async def test_an_edit_made_twice_is_told_that_it_is_done(self, ask, refused, put):
        await put({"a.txt": "colour\n"})
        edits = [{"oldText": "colour", "newText": "color!"}]
        await ask("edit", path="a.txt", edits=edits)
        assert "already there, at line 1" in await refused("edit", path="a.txt", edits=edits)

    async def test_overlapping_pieces_are_refused(self, refused, put):
        await put({"a.txt": "abcd"})
        edits = [{"oldText": "abc", "newText": "1"}, {"oldText": "cd", "newText": "2"}]
        assert "edits[0] and edits[1]" in await refused("edit", path="a.txt", edits=edits)

    @pytest.mark.parametrize(
        ("old", "new", "reason"), [("", "x", "empty"), ("abc", "abc", "would not change")]
    )
    async def test_pointless_edits_are_refused(self, refused, put, old, new, reason):
        await put({"a.txt": "abc"})
        text = await refused("edit", path="a.txt", edits=[{"oldText": old, "newText": new}])
        assert reason in text

    async def test_crlf_and_byte_order_mark_survive(self, ask, sandbox, put):
        await put({"a.csv": b"\xef\xbb\xbfname\r\nann\r\nbob\r\n"})
        edits = [{"oldText": "ann\nbob", "newText": "ann\ncarl\nbob"}]
        await ask("edit", path="a.csv", edits=edits)
        assert await sandbox.read("a.csv") == b"\xef\xbb\xbfname\r\nann\r\ncarl\r\nbob\r\n"

    async def test_each_place_keeps_its_own_line_ends(self, ask, sandbox, put):
        await put({"a.txt": b"one\r\ntwo\nthree\n"})
        edits = [
            {"oldText": "one", "newText": "1\n1"},
            {"oldText": "three", "newText": "3\n3"},
        ]
        await ask("edit", path="a.txt", edits=edits)
        assert await sandbox.read("a.txt") == b"1\r\n1\r\ntwo\n3\n3\n"

    async def test_bytes_of_another_encoding_survive(self, ask, sandbox, put):
        await put({"a.txt": b"caf\xe9 = 1\nx = 2\n"})
        await ask("edit", path="a.txt", edits=[{"oldText": "x = 2", "newText": "x = 3"}])
        assert await sandbox.read("a.txt") == b"caf\xe9 = 1\nx = 3\n"

    async def test_utf16_stays_utf16(self, ask, sandbox, put):
        await put({"a.txt": "naïve\n".encode("utf-16")})
        await ask("edit", path="a.txt", edits=[{"oldText": "naïve", "newText": "größer"}])
        assert (await sandbox.read("a.txt")).decode("utf-16") == "größer\n"

    async def test_keeps_permissions(self, ask, put):
        await put({"run.sh": "old"})
        await ask("exec", command="chmod 755 run.sh")
        await ask("edit", path="run.sh", edits=[{"oldText": "old", "newText": "new"}])
        assert await ask("exec", command="stat -c %a run.sh") == "755"

    async def test_edits_given_as_json_text_are_taken(self, ask, sandbox, put):
        await put({"a.txt": "abc"})
        await ask("edit", path="a.txt", edits='[{"oldText": "b", "newText": "B"}]')
        assert await sandbox.read("a.txt") == b"aBc"


@given(st.binary())
def test_any_text_file_comes_back_byte_for_byte(data):
    data = data.replace(b"\x00", b"0")
    try:
        file = parse_text(data, "a.txt")
    except Exception:
        return
    assert file.encode(file.text) == data


@given(st.text(alphabet="ab\n"), st.sampled_from(["\n", "\r\n"]))
def test_new_text_gets_the_line_ends_around_it(new, ending):
    text = ending.join(["x", "y", "z", ""])
    adapted = _with_line_ends(new, text, text.index("y"))
    assert adapted == new.replace("\n", ending)
    assert TextFile(text).line_end == ending
