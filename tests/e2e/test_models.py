"""The command line of the README against a server that speaks the OpenAI protocol."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from tests.e2e.test_wrong_input import call

pytestmark = [pytest.mark.bwrap, pytest.mark.slow]


class ScriptedServer(BaseHTTPRequestHandler):
    """Answers the first request of a conversation with a tool call, the next with a text."""

    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(body)
        message: dict[str, Any] = {"role": "assistant", "content": "Done."}
        reason = "stop"
        if body["messages"][-1]["role"] == "user":
            arguments = json.dumps({"path": "note.txt", "content": "hello\n"})
            function = {"name": "write", "arguments": arguments}
            message["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
            message["content"], reason = None, "tool_calls"
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }
        payload = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    requests: list[dict[str, Any]] = []
    handler = type("Handler", (ScriptedServer,), {"requests": requests})
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}/v1", requests
    httpd.shutdown()


def test_any_openai_compatible_server_plays_the_benchmark(
    server: tuple[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    url, requests = server
    code, text = call(
        "inspect", "eval", "clawgym_bench", "--model", "openai-api/local/tiny",
        "-T", "sandbox=bwrap", "-T", "subset=smoke", "--log-dir", str(tmp_path / "logs"),
        cwd=tmp_path, LOCAL_BASE_URL=url, LOCAL_API_KEY="none",
    )  # fmt: skip
    assert code == 0, text
    names = {tool["function"]["name"] for tool in requests[0]["tools"]}
    assert {"read", "write", "edit", "apply_patch", "ls", "exec", "process"} <= names
    roles = [message["role"] for message in requests[0]["messages"]]
    assert roles == ["system", "user"]
    (info,) = list_eval_logs(str(tmp_path / "logs"))
    log = read_eval_log(info)
    assert log.status == "success"
    for sample in log.samples or []:
        assert sample.model_usage["openai-api/local/tiny"].total_tokens >= 20
        assert (sample.scores or {})["hybrid"].value["score"] <= 0.05  # type: ignore[index,call-overload,operator]
