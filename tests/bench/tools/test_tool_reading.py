"""`read` and `ls`."""

import pytest

from clawgym_bench.tools import ToolLimits

pytestmark = pytest.mark.bwrap


class TestRead:
    async def test_gives_the_lines_as_they_are(self, ask, put):
        await put({"a.txt": "one\n  two\n\nfour"})
        assert await ask("read", path="a.txt") == "one\n  two\n\nfour"

    async def test_offset_and_limit_choose_lines_and_the_note_says_how_to_go_on(self, ask, put):
        await put({"a.txt": "".join(f"{n}\n" for n in range(1, 11))})
        text = await ask("read", path="a.txt", offset=3, limit=2)
        assert text == "3\n4\n[lines 3-4 of 10; continue with offset=5]"

    async def test_reading_on_from_the_note_gives_every_line_once(self, ask, put):
        await put({"a.txt": "".join(f"{n}\n" for n in range(5_000))})
        seen, offset = [], 1
        while offset:
            *lines, note = (await ask("read", path="a.txt", offset=offset)).split("\n")
            more = "continue with offset=" in note
            seen += lines if more else [*lines, note]
            offset = int(note.rpartition("=")[2].rstrip("]")) if more else 0
        assert seen == [str(n) for n in range(5_000)]

    async def test_stops_at_2000_lines(self, ask, put):
        await put({"a.txt": "x\n" * 2_001})
        text = await ask("read", path="a.txt", limit=9_999)
        assert text.count("x\n") == 2_000
        assert text.endswith("[lines 1-2000 of 2001; continue with offset=2001]")

    async def test_stops_at_50_kilobytes(self, ask, put):
        await put({"a.txt": ("x" * 1_023 + "\n") * 60})
        assert "[lines 1-50 of 60; continue with offset=51]" in await ask("read", path="a.txt")

    async def test_a_very_long_line_is_cut_and_its_length_told(self, ask, put):
        await put({"a.json": "x" * 30_000})
        text = await ask("read", path="a.json")
        assert text.startswith("x" * 10_000 + "\n[line 1 is cut: it has 30,000 characters")

    async def test_offset_0_means_the_beginning(self, ask, put):
        await put({"a.txt": "one\n"})
        assert await ask("read", path="a.txt", offset=0) == "one"

    async def test_offset_beyond_the_end_is_refused_with_the_length(self, refused, put):
        await put({"a.txt": "one\ntwo\n"})
        assert "has 2 lines" in await refused("read", path="a.txt", offset=3)

    async def test_an_empty_file_is_called_empty(self, ask, put):
        await put({"a.txt": ""})
        assert await ask("read", path="a.txt") == "[a.txt is empty]"

    @pytest.mark.parametrize(
        ("files", "path", "expected"),
        [
            ({"data/report.csv": "x"}, "report.csv", "data/report.csv"),
            ({"data/report.csv": "x"}, "data/Report.csv", "data/report.csv"),
            ({"notes/meeting.md": "x"}, "notes/meetings.md", "notes/meeting.md"),
        ],
    )
    async def test_a_missing_file_is_refused_with_near_names(
        self, refused, put, files, path, expected
    ):
        await put(files)
        assert (await refused("read", path=path)).endswith(f"Close to it: {expected}")

    async def test_a_directory_is_refused_and_ls_is_named(self, refused, put):
        await put({"d/a.txt": "x"})
        assert "ls" in await refused("read", path="d")

    async def test_an_unreadable_file_is_refused(self, ask, refused):
        await ask("exec", command="echo x > a.txt; chmod 000 a.txt")
        assert "permission denied" in await refused("read", path="a.txt")

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG image"),
            (b"PK\x03\x04\x14\x00\x06\x00", "a zip container"),
            (b"abc\x00def", "binary"),
        ],
    )
    async def test_a_binary_file_is_refused_and_named(self, refused, put, content, what):
        await put({"a.bin": content})
        assert what in await refused("read", path="a.bin")

    async def test_bytes_that_are_not_utf8_are_shown_and_counted(self, ask, put):
        await put({"a.txt": "Grüße".encode("latin-1")})
        assert await ask("read", path="a.txt") == (
            "Gr\ufffd\ufffde\n[2 bytes are not UTF-8 and shown as \ufffd]"
        )

    async def test_byte_order_marks_are_not_shown(self, ask, put):
        await put({"a.txt": b"\xef\xbb\xbfname\n", "b.txt": "é1\n".encode("utf-16")})
        assert await ask("read", path="a.txt") == "name"
        assert await ask("read", path="b.txt") == "é1\n[encoded as UTF-16-LE]"

    async def test_crlf_is_told_but_not_shown(self, ask, put):
        await put({"a.txt": "a\r\nb\r\n"})
        text = await ask("read", path="a.txt")
        assert text == "a\nb\n[lines end with CRLF; edit keeps that]"

    @pytest.mark.parametrize(
        "path", ["/workspace/d/a.txt", "./d/../d/a.txt", "~/../../workspace/d/a.txt"]
    )
    async def test_paths_may_be_absolute_relative_or_from_home(self, ask, put, path):
        await put({"d/a.txt": "x"})
        assert await ask("read", path=path) == "x"

    @pytest.mark.parametrize("path", ["", "  ", "a\x00b"])
    async def test_impossible_paths_are_refused(self, refused, path):
        assert "path" in await refused("read", path=path)

    async def test_a_device_that_never_ends_does_not_hang(self, refused):
        await refused("read", path="/dev/zero")


class TestLs:
    async def test_is_sorted_with_directories_marked_hidden_names_and_links(self, ask, put):
        await put({"b.txt": "", "A.txt": "", ".hidden": "", "dir/x": ""})
        await ask("exec", command="ln -s b.txt link; ln -s dir linkdir")
        assert await ask("ls") == ".hidden\nA.txt\nb.txt\ndir/\nlink -> b.txt\nlinkdir -> dir/"

    async def test_an_empty_directory_is_called_empty(self, ask):
        assert await ask("ls", path=".") == "[. is empty]"

    async def test_a_file_is_refused(self, refused, put):
        await put({"a.txt": "x"})
        assert "use read" in await refused("ls", path="a.txt")

    async def test_a_missing_directory_is_refused(self, refused):
        assert "does not exist" in await refused("ls", path="nowhere")

    async def test_names_with_line_breaks_stay_on_one_line(self, ask):
        await ask("exec", command=r"touch $'a\nb'")
        assert await ask("ls") == r"a\nb"

    @pytest.mark.parametrize("limits", [ToolLimits(list_entries=3)])
    async def test_stops_at_its_limit_and_says_how_many_there_are(self, ask, put):
        await put({f"{n}.txt": "" for n in range(5)})
        assert await ask("ls") == (
            "0.txt\n1.txt\n2.txt\n[3 of 5 entries; use limit, or exec with find]"
        )
        assert (await ask("ls", limit=5)).count("\n") == 4
