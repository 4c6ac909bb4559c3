"""The picture of the board in the README, from the pages that `make board` built.

make board && python -m benchmarks.board_picture
"""

from pathlib import Path

from benchmarks.board import CHROMIUM, FLAGS

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "img" / "board.png"


def main() -> None:
    from playwright.sync_api import sync_playwright

    PICTURE.parent.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 700})
        page.goto((ROOT / "site" / "index.html").as_uri())
        page.locator("body[data-ready=yes]").wait_for()
        height = page.evaluate("document.querySelector('#view').getBoundingClientRect().bottom")
        clip = {"x": 0, "y": 0, "width": 1280, "height": min(900, round(height) + 16)}
        page.screenshot(path=PICTURE, clip=clip, full_page=True)
        browser.close()
    print(PICTURE.relative_to(ROOT), PICTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
