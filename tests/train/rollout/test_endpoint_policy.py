"""The client of a server that takes and gives token ids, against a stand-in that speaks HTTP."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from clawgym_bench.errors import InfrastructureError
from clawgym_train.rollout.endpoint_policy import EndpointPolicy


class Server(BaseHTTPRequestHandler):
    asked: list[dict[str, Any]] = []
    choice: dict[str, Any] = {}
    status = 200

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).asked.append({"path": self.path, **json.loads(body)})
        answer = {
            "id": "1", "object": "text_completion", "created": 0, "model": "m",
            "choices": [{"index": 0, "text": "", "finish_reason": "stop", **self.choice}],
        }  # fmt: skip
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: Any) -> None:
        return None


@pytest.fixture
def url() -> Iterator[str]:
    Server.asked, Server.status = [], 200
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def policy(url: str) -> EndpointPolicy:
    return EndpointPolicy(url, "m", frozenset({9}), temperature=0.7, retries=0)


async def test_ids_go_in_and_ids_come_out(url: str) -> None:
    Server.choice = {"token_ids": [4, 9], "logprobs": {"token_logprobs": [-0.25, -1.5]}}
    asker = policy(url)
    completion = await asker.sample([1, 2, 3], max_tokens=7)
    await asker.close()
    assert completion.ids == (4, 9)
    assert completion.logprobs == (-0.25, -1.5)
    assert completion.finished
    (asked,) = Server.asked
    assert asked["path"] == "/v1/completions"
    assert (asked["prompt"], asked["max_tokens"], asked["temperature"]) == ([1, 2, 3], 7, 0.7)
    assert asked["return_token_ids"] is True
    assert asked["stop_token_ids"] == [9]


@pytest.mark.parametrize(
    "choice",
    [
        {"logprobs": {"token_logprobs": [-0.25]}},
        {"token_ids": [4, 9], "logprobs": {"token_logprobs": [-0.25]}},
        {"token_ids": [4], "logprobs": None},
    ],
)
async def test_a_server_without_token_ids_is_refused(url: str, choice: dict[str, Any]) -> None:
    Server.choice = choice
    with pytest.raises(InfrastructureError, match="return_token_ids"):
        await policy(url).sample([1], max_tokens=2)


async def test_a_server_that_fails_is_infrastructure(url: str) -> None:
    Server.status = 500
    with pytest.raises(InfrastructureError, match=r"127\.0\.0\.1"):
        await policy(url).sample([1], max_tokens=2)
