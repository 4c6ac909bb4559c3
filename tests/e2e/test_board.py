"""The board as a person meets it, in a real headless Chromium, opened from the disk."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks.board import make_up
from clawgym_bench.board.site import build_site

CHROMIUM = shutil.which("chromium")
REQUIRED = os.environ.get("CLAWGYM_REQUIRE_BROWSER") == "1"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
browser_test = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None and not REQUIRED, reason="Debian's chromium is not installed"
    ),
]
pytestmark = [*browser_test, pytest.mark.xdist_group("board")]
# The pages that are checked for accessibility and for what they load.
ADDRESSES = [
    "index.html",
    *(
        f"index.html#view={view}"
        for view in (
            "cost", "categories", "operations", "difficulty", "pairs", "tasks", "downloads",
        )
    ),
    "run.html#run=made-up-005",
    "task.html#task=made-up-task-003",
    "trial.html#run=made-up-005&task=made-up-task-005&epoch=2",
    "reported.html",
]  # fmt: skip


class Visitor:
    """A browser with one open page of the site; remembers what went wrong and what was loaded."""

    def __init__(self, browser: Any, site: Path) -> None:
        self.browser, self.site = browser, site
        self.errors: list[str] = []
        self.requests: list[str] = []

    def open(self, address: str, *, dark: bool = False, phone: bool = False) -> Any:
        context = self.browser.new_context(
            viewport={"width": 390, "height": 844} if phone else {"width": 1500, "height": 900},
            color_scheme="dark" if dark else "light",
        )
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._heard)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.errors.append(f"not loaded: {request.url}"))
        page.goto(f"{self.site.as_uri()}/{address}")
        if not address.startswith("reported"):
            page.locator("body[data-ready=yes]").wait_for()
        return page

    def _heard(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.errors.append(message.text)


@pytest.fixture(scope="module")
def made_up_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("board")
    make_up(place / "results", 24, 60, 3)
    build_site(place / "results", place / "site")
    return place / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def visitor(browser: Any, made_up_site: Path) -> Iterator[Visitor]:
    made = Visitor(browser, made_up_site)
    yield made
    assert made.errors == []
    elsewhere = [url for url in made.requests if not url.startswith(("file:///", "data:", "blob:"))]
    assert elsewhere == []


def column(page: Any, title: str) -> list[str]:
    """The texts of a column of the main table, first line of each cell."""
    heads = page.locator("#board thead th").all_inner_texts()
    at = next(number for number, head in enumerate(heads) if head.strip().startswith(title))
    cells = page.locator(f"#board tbody tr > :nth-child({at + 1})").all_inner_texts()
    return [cell.split("\n")[0].strip() for cell in cells]


def test_rows_are_sorted_by_score_and_again_by_a_click(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    scores = [float(text) for text in column(page, "Score")]
    assert len(scores) == 24
    assert scores == sorted(scores, reverse=True)
    page.get_by_role("button", name="Score", exact=True).click()
    assert [float(text) for text in column(page, "Score")] == sorted(scores)
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Score")
    page.get_by_role("button", name="Model", exact=True).click()
    models = column(page, "Model")
    assert models == sorted(models)


def test_ranks_agree_with_the_intervals_and_references_have_none(visitor: Visitor) -> None:
    page = visitor.open("index.html#set=0")
    rows = page.evaluate(
        "BOARD.runs.filter(r => r.set === 0 && r.kind === 'model').map(r => [r.rank, r.score])"
    )
    for rank, (_, _, upper) in rows:
        assert rank == 1 + sum(other[1] > upper for _, other in rows)
    ranks = column(page, "Rank")
    assert ranks.count("ref.") == 3
    assert "=1" in ranks
    assert page.locator("#board tr.legacy").count() == 0


def test_rows_of_an_older_set_are_there_and_dimmed(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    legacy = page.locator("#board tr.legacy")
    assert legacy.count() == 2
    assert legacy.first.locator("td").first.inner_text() == "–"


def test_filters_and_search_are_in_the_address_and_come_back_from_it(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    page.get_by_role("combobox", name="Verified").select_option("yes")
    page.get_by_role("combobox", name="Agent").select_option("claw")
    page.get_by_label("Search").fill("model-01")
    found = column(page, "Model")
    assert 0 < len(found) < 10
    assert set(column(page, "Verified")) == {"✓ verified"}
    address = page.url
    for part in ("verified=yes", "agent=claw", "q=model-01"):
        assert part in address
    again = visitor.open(address.split("/site/")[1])
    assert column(again, "Model") == found
    assert again.get_by_role("combobox", name="Verified").input_value() == "yes"
    assert again.get_by_label("Search").input_value() == "model-01"
    again.get_by_role("button", name="Reset").click()
    assert len(column(again, "Model")) == 24


def test_a_filter_on_tasks_scores_these_tasks_only(visitor: Visitor) -> None:
    page = visitor.open("index.html#category=software-development&set=0")
    expected = page.evaluate(
        """() => { const run = BOARD.runs.find(r => r.id === "made-up-012");
        const places = BOARD.sets[0].tasks.flatMap((t, p) => t.category === "software-development" ? [p] : []);
        return places.map(p => run.scores[p]).reduce((a, b) => a + b) / places.length / 1000; }"""  # noqa: E501
    )
    row = page.locator("#board tr[data-run=made-up-012]")
    shown = row.locator("td").nth(2).inner_text().split("\n")
    assert float(shown[0]) == pytest.approx(expected, abs=0.001)
    lower, upper = (float(text) for text in shown[1].split("–"))
    assert lower < float(shown[0]) < upper
    assert "10 of 60 tasks" in page.locator("#status").inner_text()


def test_a_few_tasks_have_a_score_without_interval_and_rank(visitor: Visitor) -> None:
    page = visitor.open("index.html#category=software-development&difficulty=hard&set=0")
    assert "=1" not in column(page, "Rank")
    assert set(column(page, "Rank")) == {"–", "ref."}
    shown = page.locator("#board tr[data-run=made-up-012] td").nth(2).inner_text()
    assert "–" not in shown
    assert 0 <= float(shown) <= 1
    assert "need 8 families" in page.locator("#status").inner_text()


def test_the_interval_of_the_page_is_that_of_the_build(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    pairs = page.evaluate(
        """() => { const set = BOARD.sets[0], runs = BOARD.runs.filter(r => r.set === 0 && r.score);
        const all = set.tasks.map((_, place) => place);
        return sliceIntervals(set.tasks, all, runs.map(r => r.scores)).map((found, n) => [found, runs[n].score]); }"""  # noqa: E501
    )
    for found, built in pairs:
        assert found == pytest.approx(built, abs=0.02)


def test_columns_can_be_hidden(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    assert "Cost" in page.locator("#board thead").inner_text()
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("checkbox", name="Cost").uncheck()
    assert "Cost" not in page.locator("#board thead").inner_text()
    assert "hide=cost" in page.url


def test_k_of_pass_hat_k_can_be_chosen(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    most = column(page, "pass^3")
    page.get_by_label("k of pass^k").select_option("1")
    one = column(page, "pass^1")
    assert [a for a, b in zip(one, most, strict=True) if float(a) < float(b)] == []
    assert one != most


def test_the_table_is_used_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.locator("button[data-sort=minutes]").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.sort") == "minutes"
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Minutes")


@pytest.mark.parametrize("measure", ["cost", "tokens", "minutes"])
def test_the_pareto_front_holds_whom_nobody_beats(visitor: Visitor, measure: str) -> None:
    page = visitor.open(f"index.html#view=cost&x={measure}")
    points = page.evaluate(
        """name => BOARD.runs.filter(r => r.set === 0 && r.kind === "model").map(r => [
        name === "tokens" ? r.tokensIn + r.tokensOut : r[name], r.score[0], r.id]).filter(p => p[0])""",  # noqa: E501
        measure,
    )
    best = {
        name for x, y, name in points
        if not any(a <= x and b >= y and (a, b) != (x, y) for a, b, _ in points)
    }  # fmt: skip
    links = page.locator("svg.plot a:has(.on-front)")
    shown = {str(links.nth(n).get_attribute("href")).split("run=")[1] for n in range(links.count())}
    assert shown == best
    assert page.locator("svg.plot a").count() == len(points)
    assert page.locator("svg.plot line.reference").count() == 2


def test_the_matrix_of_pairs_is_antisymmetric_and_marks_what_is_certain(visitor: Visitor) -> None:
    page = visitor.open("index.html#view=pairs")
    rows = page.locator("table.heat tbody tr")
    cells = [rows.nth(n).locator("td").all_inner_texts() for n in range(rows.count())]
    size = len(cells)
    assert size == 22
    for row in range(size):
        assert cells[row][row] == "·"
        for other in range(row):
            one, two = cells[row][other], cells[other][row]
            assert one.count("*") == two.count("*")
            assert one.lstrip("+−").rstrip("*") == two.lstrip("+−").rstrip("*")
    assert "**" in cells[0][size - 1]


def test_the_grid_of_tasks_shows_scores_with_their_noise(visitor: Visitor) -> None:
    page = visitor.open("index.html#view=tasks&order=noise")
    rows = page.locator("table.heat tbody tr")
    assert rows.count() == 60
    noise = [float(rows.nth(n).locator("td").nth(1).inner_text()) for n in range(60)]
    assert noise == sorted(noise, reverse=True)
    rows.first.locator("td a").nth(2).click()
    page.locator("#checks").wait_for()


def test_from_a_row_to_a_trial(visitor: Visitor) -> None:
    page = visitor.open("index.html")
    page.locator("#board tr[data-run=made-up-012] th a").click()
    page.locator("h1", has_text="made-up/model-012").wait_for()
    assert "How it was made" in page.inner_text("main")
    page.get_by_role("link", name="Made-up task 5", exact=True).click()
    page.locator("#checks").wait_for()
    text = page.inner_text("main")
    for part in ("Request", "Checks", "Rubric", "Workspace", "Transcript", "epoch 1 of 3"):
        assert part in text
    page.get_by_role("link", name="Epoch 2", exact=False).click()
    page.get_by_text("epoch 2 of 3").wait_for()
    page.get_by_role("link", name="made-up-task-005").click()
    page.locator("#runs").wait_for()
    assert page.locator("#runs tbody tr").count() == 22


def test_what_a_run_holds_never_becomes_markup(browser: Any, tmp_path: Path) -> None:
    """Names and texts of a hostile run are shown as text, and its script does not run."""
    import zipfile

    from clawgym_bench.board.trials import TRIALS

    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    make_up(tmp_path / "results", 4, 6, 1)
    folder = tmp_path / "results" / "made-up-003"
    with zipfile.ZipFile(folder / TRIALS) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    escaped = evil.replace('"', '\\"')
    with zipfile.ZipFile(folder / TRIALS, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in members.items():
            out.writestr(name, text.replace("ledger", escaped).replace("check-1", escaped))
    result = (folder / "result.json").read_text()
    result = result.replace("made-up/model-003", escaped).replace("Made-up task", escaped)
    (folder / "result.json").write_text(result)
    build_site(tmp_path / "results", tmp_path / "site")
    visitor = Visitor(browser, tmp_path / "site")
    for address in (
        "index.html", "index.html#view=cost", "index.html#view=tasks", "run.html#run=made-up-003",
        "task.html#task=made-up-task-001", "trial.html#run=made-up-003&task=made-up-task-001",
    ):  # fmt: skip
        page = visitor.open(address)
        page.wait_for_timeout(150)
        assert page.title() != "owned"
        assert page.locator("main img[src=x], main script").count() == 0
    assert "onerror" in page.inner_text("main")
    assert visitor.errors == []


def test_a_damaged_trial_is_said_and_the_rest_is_shown(browser: Any, tmp_path: Path) -> None:
    make_up(tmp_path / "results", 4, 6, 1)
    build_site(tmp_path / "results", tmp_path / "site")
    script = tmp_path / "site" / "data" / "trials" / "made-up-003" / "made-up-task-001.js"
    script.write_text('BOARD_TRIALS("AAAA");\n')
    visitor = Visitor(browser, tmp_path / "site")
    page = visitor.open("trial.html#run=made-up-003&task=made-up-task-001")
    assert "cannot be shown" in page.inner_text("main")
    assert "Strict success" in page.inner_text("main")


@pytest.mark.parametrize("address", ["run.html", "task.html#task=none", "trial.html#run=x"])
def test_a_wrong_address_says_so(visitor: Visitor, address: str) -> None:
    page = visitor.open(address)
    assert "There is no" in page.inner_text("main")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_are_accessible(visitor: Visitor, address: str, dark: bool) -> None:
    """No violation that axe-core finds, contrast included, in light and dark."""
    from axe_playwright_python.sync_playwright import Axe

    page = visitor.open(address, dark=dark)
    # The site's own policy forbids scripts of others, so the checker comes in before it applies.
    page.context.close()
    context = visitor.browser.new_context(color_scheme="dark" if dark else "light", bypass_csp=True)
    page = context.new_page()
    page.goto(f"{visitor.site.as_uri()}/{address}")
    if not address.startswith("reported"):
        page.locator("body[data-ready=yes]").wait_for()
    found = Axe().run(page)
    context.close()
    violations = [
        (item["id"], item["help"], [node["html"][:160] for node in item["nodes"][:3]])
        for item in found.response["violations"]
    ]
    assert violations == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_phone_scrolls_down_only(visitor: Visitor, address: str) -> None:
    page = visitor.open(address, phone=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_colours_follow_the_system_and_the_button(visitor: Visitor) -> None:
    page = visitor.open("index.html", dark=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Use light colours").click()
    assert page.evaluate(ground) == "rgb(255, 255, 255)" != dark


def test_the_badge_is_a_picture(visitor: Visitor) -> None:
    page = visitor.open("run.html#run=made-up-005")
    assert page.evaluate("document.querySelector('main img').decode().then(() => true)")
    ElementTree.parse(visitor.site / "badges" / "made-up-005.svg")
