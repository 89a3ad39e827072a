"""`acclimate doctor`: what is there, and what goes without the rest."""

import json
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from acclimate.workflows._exit import Exit


def probes(run):
    return {probe["name"]: probe for probe in json.loads(run.stdout)["probes"]}


def test_without_a_compiler_it_ends_with_4_and_says_what_to_install(acclimate, tmp_path):
    run = acclimate("doctor", "--json", "-", PATH=str(tmp_path))
    assert run.returncode == Exit.ENVIRONMENT
    found = probes(run)
    assert not found["gfortran"]["found"]
    assert "apt install gfortran" in found["gfortran"]["cost"]
    assert not found["cpp"]["found"]


@pytest.mark.gfortran
def test_an_optional_tool_that_is_missing_is_no_failure(acclimate, tmp_path):
    for tool in ("gfortran", "cpp", "prlimit", "gcc", "as", "ld", "collect2"):
        path = shutil.which(tool)
        if path:
            (tmp_path / tool).symlink_to(path)
    run = acclimate("doctor", "--json", "-", PATH=str(tmp_path))
    found = probes(run)
    assert run.returncode == Exit.DONE
    assert not found["valgrind"]["found"]
    assert found["valgrind"]["cost"]
    assert found["gfortran"]["detail"].startswith("GNU Fortran")


@pytest.mark.gfortran
def test_a_compiler_without_limits_to_run_it_under_is_no_bug(acclimate, tmp_path):
    (tmp_path / "gfortran").symlink_to(shutil.which("gfortran"))
    run = acclimate("doctor", "--json", "-", PATH=str(tmp_path))
    assert run.returncode == Exit.ENVIRONMENT
    assert "util-linux" in probes(run)["prlimit"]["cost"]


@pytest.mark.gfortran
def test_everything_found_costs_nothing(acclimate):
    for probe in probes(acclimate("doctor", "--json", "-")).values():
        assert bool(probe["cost"]) != probe["found"]


@pytest.mark.gfortran
def test_the_table_names_every_probe(acclimate):
    run = acclimate("doctor")
    assert run.stdout.splitlines()[0].split() == ["what", "state", "detail", "without", "it"]
    assert any(line.startswith("machine") and "cores" in line for line in run.stdout.splitlines())


class Tiny(BaseHTTPRequestHandler):
    """An endpoint with one model that takes no tools."""

    def do_GET(self):
        model = {"id": "tiny", "object": "model", "created": 1, "owned_by": "me"}
        self.answer(200, {"object": "list", "data": [{**model, "max_model_len": 4096}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        head = {"id": "x", "object": "chat.completion", "created": 1, "model": "tiny"}
        said = {"role": "assistant", "content": "{}"}
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        status = 400 if "tools" in body else 200
        self.answer(status, {**head, "choices": [choice]})

    def answer(self, status, content):
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


def test_an_endpoint_is_probed_only_where_one_is_named(acclimate, tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), Tiny) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        run = acclimate("doctor", "--json", "-", "--endpoint", url, "--model", "tiny")
        other = acclimate("doctor", "--json", "-", "--endpoint", url, "--model", "large")
        server.shutdown()
    found = probes(run)
    assert found["model: context"]["detail"] == "4096 tokens"
    assert not found["model: tools"]["found"] and found["model: JSON mode"]["found"]
    assert "model: context" not in probes(other)
    assert "--model" in probes(other)["model endpoint"]["cost"]
    assert "model endpoint" not in probes(acclimate("doctor", "--json", "-"))


def test_an_endpoint_that_does_not_answer_is_told(acclimate):
    url = "http://127.0.0.1:9/v1"
    found = probes(acclimate("doctor", "--json", "-", "--endpoint", url))["model endpoint"]
    assert not found["found"] and "check the address" in found["cost"]
