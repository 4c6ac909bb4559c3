"""`memory_search` and `memory_get`."""

import pytest

from clawgym_bench.tools.memory import split_passages
from clawgym_bench.tools.ranking import rank, tokens

NOTES = {
    "MEMORY.md": "# People\n\nAnna leads finance and likes short mails.\nBen runs the shop.\n",
    "memory/2026-03-01.md": "# Log\n- Invoice 17 was disputed with Aster.\n- Lunch.\n",
    "memory/2026-03-02.md": "## Decisions\nThe quarterly report goes out on Fridays.\n",
    "other/notes.md": "Invoice 99 is not a memory.\n",
    "memory/data.csv": "invoice",
}


class TestSearch:
    pytestmark = pytest.mark.bwrap

    async def test_finds_passages_with_file_and_lines(self, ask, put):
        await put(NOTES)
        text = await ask("memory_search", query="disputed invoices")
        assert "1. memory/2026-03-01.md:2-3 (score 0." in text
        assert "under 'Log'" in text
        assert "Invoice 17 was disputed with Aster." in text
        assert "99" not in text

    async def test_a_word_of_the_heading_counts(self, ask, put):
        await put(NOTES)
        text = await ask("memory_search", query="decision")
        assert "memory/2026-03-02.md:2-2" in text

    async def test_maxResults_and_minScore_leave_out(self, ask, put):
        await put({"memory/a.md": "apple\n\napple apple pie\n\napple cake\n\npear\n"})
        assert (await ask("memory_search", query="apple", maxResults=1)).startswith(
            "1 of 3 passages"
        )
        text = await ask("memory_search", query="apple pie", minScore=0.5)
        assert text.startswith("1 of 1 passages")

    async def test_nothing_found_and_no_notes_are_told_apart(self, ask, put):
        assert (await ask("memory_search", query="zebra")).startswith("There are no notes")
        await put(NOTES)
        assert (await ask("memory_search", query="zebra")).startswith("Nothing found")

    async def test_an_empty_query_is_refused(self, refused):
        assert "empty" in await refused("memory_search", query=" ")


class TestGet:
    pytestmark = pytest.mark.bwrap

    async def test_gives_the_lines_asked_for(self, ask, put):
        await put(NOTES)
        arguments = {"path": "MEMORY.md", "from": 3, "lines": 1}
        assert await ask("memory_get", **arguments) == (
            "Anna leads finance and likes short mails.\n[lines 3-3 of 4; continue with from=4]"
        )

    @pytest.mark.parametrize("path", ["memory/2026-03-02.md", "/workspace/memory/2026-03-02.md"])
    async def test_gives_all_of_a_short_file(self, ask, put, path):
        await put(NOTES)
        assert await ask("memory_get", path=path) == NOTES["memory/2026-03-02.md"].strip()

    @pytest.mark.parametrize(
        "path",
        ["other/notes.md", "memory/data.csv", "memory/../other/notes.md", "/etc/passwd", "~/a.md"],
    )
    async def test_other_files_are_refused(self, refused, put, path):
        await put(NOTES)
        assert "is no note" in await refused("memory_get", path=path)

    async def test_a_missing_note_is_refused_with_near_names(self, refused, put):
        await put(NOTES)
        text = await refused("memory_get", path="memory/2026-03-03.md")
        assert "memory/2026-03-0" in text.partition("Close to it")[2]


class TestRanking:
    def test_more_and_rarer_words_rank_higher(self):
        documents = ["the report", "report on budget", "budget of Aster", "nothing"]
        assert [index for index, _ in rank("Aster budget report", documents)] == [2, 1, 0]

    def test_scores_are_above_0_and_at_most_1(self):
        scores = [score for _, score in rank("a b c", ["a b c " * 50, "c", "d"])]
        assert all(0 < score <= 1 for score in scores)

    def test_no_documents_and_no_words_give_nothing(self):
        assert rank("x", []) == []
        assert rank("", ["x"]) == []

    def test_case_accents_and_plurals_do_not_matter(self):
        assert tokens("Cafés, INVOICES companies") == tokens("cafe invoice company")

    def test_scripts_without_spaces_are_found_by_character(self):
        assert [index for index, _ in rank("季度报告", ["这是季度报告", "hello"])] == [0]


def test_passages_carry_their_heading_and_lines():
    passages = split_passages("a.md", "# A\ntext\nmore\n\n## B\n\nlast")
    assert [(item.first, item.last, item.heading) for item in passages] == [
        (2, 3, "A"),
        (5, 5, "B"),
        (7, 7, "B"),
    ]
