"""A real HTTP server on loopback that speaks the chat-completions protocol, well or badly."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Conversation", dict[str, Any]], None]


@dataclass
class Server:
    """`script` is what it does with one call after the other; the last one is repeated."""

    url: str = ""
    script: list[Behaviour] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


class Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_state: Server

    def do_POST(self) -> None:
        size = int(self.headers["content-length"])
        body = json.loads(self.rfile.read(size))
        state = self.server_state
        state.bodies.append(body)
        state.headers.append({name.lower(): value for name, value in self.headers.items()})
        state.script[min(len(state.bodies), len(state.script)) - 1](self, body)

    def do_GET(self) -> None:
        model = {"id": "tiny", "object": "model", "created": 1, "owned_by": "me"}
        self.whole(200, {"object": "list", "data": [{**model, "max_model_len": 4096}]})

    def whole(
        self, status: int, content: Any, kind: str = "application/json", **headers: str
    ) -> None:
        data = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def begin(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def piece(self, text: str = "", finish: str | None = None, index: int = 0) -> None:
        choice = {"index": index, "delta": {"content": text}, "finish_reason": finish}
        self.event({"choices": [choice]})

    def usage(self, prompt: int, output: int) -> None:
        counts = {"prompt_tokens": prompt, "completion_tokens": output}
        self.event({"choices": [], "usage": {**counts, "total_tokens": prompt + output}})

    def event(self, content: dict[str, Any]) -> None:
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "tiny"}
        self.wfile.write(f"data: {json.dumps({**head, **content})}\n\n".encode())
        self.wfile.flush()

    def done(self) -> None:
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *args: object) -> None:
        pass


def good(call: Conversation, body: dict[str, Any], text: str = "REFUSE: no") -> None:
    call.begin()
    for word in text.split(" "):
        call.piece(word + " ")
    call.piece(finish="stop")
    call.usage(100, 7)
    call.done()


def slow(call: Conversation, body: dict[str, Any]) -> None:
    call.begin()
    for _ in range(50):
        call.piece("slowly ")
        time.sleep(0.1)


def silent(call: Conversation, body: dict[str, Any]) -> None:
    call.begin()
    call.piece("well")
    time.sleep(3)


@contextmanager
def serving() -> Iterator[Server]:
    """A server at work; it answers `good` until its script says otherwise."""
    state = Server()
    handler = type("Handler", (Conversation,), {"server_state": state})
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    httpd.daemon_threads = True
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{httpd.server_address[1]}/v1"
    state.script = [good]
    try:
        yield state
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()
