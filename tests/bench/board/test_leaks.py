"""What must not be published is found, where it stands, and not repeated aloud."""

import time

import pytest

from clawgym_bench.board.leaks import find_leaks, leaks_in, own_secrets, shapes, texts

# Put together here, so that no scanner takes this file for a leak.
KEYS = {
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----",
    "AWS access key": "AKIA" + "IOSFODNN7EXAMPLQ",
    "OpenAI or Anthropic key": "sk-" + "ant-api03-" + "aB3" * 12,
    "Hugging Face token": "hf_" + "aB3d" * 9,
    "Google key": "AIza" + "SyA1b2C3d4E5f6G7h8I9j0KaLbMcNdOePfQ",
    "GitHub token": "ghp_" + "a1B2" * 9,
    "GitLab token": "glpat-" + "a1B2" * 5,
    "Slack token": "xoxb-" + "123456789012-abcdef",
    "Stripe key": "sk_live_" + "a1B2" * 6,
    "npm token": "npm_" + "a1B2" * 9,
    "PyPI token": "pypi-AgE" + "a1B2" * 13,
    "JSON web token": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3" + "." + "a1B2" * 8,
    "authorization header": "Authorization: Bearer " + "a1B2" * 6,
    "password in an address": "https://" + "joe:hunter22" + "@host.invalid/repo",
}


@pytest.mark.parametrize(("kind", "key"), KEYS.items())
def test_keys_are_found_and_not_shown(kind: str, key: str) -> None:
    (leak,) = [leak for leak in leaks_in(f"x = '{key}'", "here") if leak.kind == kind]
    assert leak.secret
    assert key not in str(leak)
    assert "here" in str(leak)


def test_every_shape_has_an_example() -> None:
    assert {shape.kind for shape in shapes()} == set(KEYS)


@pytest.mark.parametrize("text", ["task-force sk-", "skating-park-in-the-long-winter-evenings-1"])
def test_words_are_no_keys(text: str) -> None:
    assert list(leaks_in(text, "")) == []


def test_home_folders() -> None:
    found = find_leaks([("/home/mara/x and C:\\Users\\mara and /home/agent/y /Users/you", "a")])
    assert [leak.text for leak in found] == ["/home/mara", "C:\\Users\\mara"]
    assert find_leaks([("cache in /data/mara/x", "a")], home="/data/mara")


def test_addresses_outside_the_task() -> None:
    text = "to jo@firm.de, a@b.example, c@example.org, d@mail.example.com, @home, x@y"
    assert [leak.text for leak in find_leaks([(text, "a")])] == ["jo@firm.de"]
    assert find_leaks([(text, "a")], known="From: Jo <JO@firm.de>") == []


def test_what_the_task_holds_is_public() -> None:
    key = KEYS["GitHub token"]
    assert find_leaks([(key, "a")], known=f"token = {key}") == []


def test_variables_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_TOKEN", "correct horse battery")
    monkeypatch.setenv("HOUSE_COLOUR", "green as the grass")
    assert "correct horse battery" in own_secrets()
    assert "green as the grass" not in own_secrets()
    (leak,) = find_leaks([("say correct horse battery", "a")], own=own_secrets())
    assert leak.secret


def test_places_are_named() -> None:
    data = {"messages": [{"content": "hello there"}, {"content": KEYS["AWS access key"]}]}
    (leak,) = find_leaks(texts(data, "sample"))
    assert leak.where == "sample.messages[1].content"


def test_hostile_text_takes_no_time() -> None:
    start = time.monotonic()
    for text in (
        "@" * 300_000,
        "a" * 10**6 + "@",
        "sk-" * 200_000,
        "eyJ" * 200_000,
        "://a:" * 99999,
    ):
        find_leaks([(text, "a")])
    assert time.monotonic() - start < 20
