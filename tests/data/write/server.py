"""A server that speaks the OpenAI protocol and answers as a script says."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from clawgym_data.write.assignment import assign
from clawgym_data.write.skills import Skill

MODEL = "openai-api/local/scripted"


@dataclass(frozen=True)
class Reply:
    """A text, a refusal, or an error of HTTP."""

    text: str = ""
    refusal: str = ""
    finish: str = "stop"
    status: int = 200


Script = Callable[[int, int], Reply]
"""From the attempt's number and how often it has asked before to the answer."""


@dataclass
class Server:
    """`calls` counts by attempt; `bodies` are the requests as they came."""

    url: str
    numbers: dict[str, int]
    script: Script
    calls: Counter[int] = field(default_factory=Counter)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def env(self) -> dict[str, str]:
        return {"LOCAL_BASE_URL": self.url, "LOCAL_API_KEY": "secret-of-the-test"}

    def answer(self, body: dict[str, Any]) -> Reply:
        asked = next(m["content"] for m in body["messages"] if m["role"] == "user")
        with self.lock:
            number = self.numbers[asked]
            before = self.calls[number]
            self.calls[number] += 1
            self.bodies.append(body)
        return self.script(number, before)


def prompts(seed: int, count: int, skills: tuple[Skill, ...] = ()) -> dict[str, int]:
    """The first request of each attempt of `synth --engine model`."""
    return {assign(seed, number, skills, MODEL).prompt: number for number in range(count)}


@contextmanager
def serving(numbers: dict[str, int], script: Script) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = server.answer(body)
            payload = json.dumps(_completion(body, reply)).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{httpd.server_port}/v1", numbers, script)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()


def _completion(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    if reply.status != 200:
        return {"error": {"message": "the server says no", "type": "error", "code": "no"}}
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.refusal:
        message = {"role": "assistant", "content": None, "refusal": reply.refusal}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 40, "total_tokens": 140},
    }
