#!/usr/bin/env python3
"""Nobody but the page that mazurka sim serves can drive it: other hosts, origins, missing tokens, path tricks."""

import os
import pathlib
import socket
import subprocess
import sys
import time

from simulator import Simulator

FAILED = []


def expect(what, is_so):
    if not is_so:
        FAILED.append(what)
        print("NOT:", what)


def gate(sim):
    page, question = f"/{sim.token}/", f"/{sim.token}/api/hello"
    own = f"127.0.0.1:{sim.port}"
    status, text, headers = sim.request("GET", page)
    expect("the page is served", status == 200 and b"<script" in text)
    policy = headers.get("Content-Security-Policy", "")
    expect("the page talks to nobody else", "default-src 'none'" in policy and "connect-src 'self'" in policy)
    expect("the address leaks to no other page", headers.get("Referrer-Policy") == "no-referrer")
    expect("no other page may read it", "Access-Control-Allow-Origin" not in headers)
    expect("questions are answered", sim.request("POST", question, {})[0] == 200)
    expect("localhost is ours, too", sim.request("GET", page, headers={"Host": f"localhost:{sim.port}"})[0] == 200)

    for host in (None, "", "evil.example", f"evil.example:{sim.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.example:{sim.port}",
                 f"[::1]:{sim.port}", f"0.0.0.0:{sim.port}"):
        expect(f"host {host!r} is refused", sim.request("GET", page, headers={"Host": host})[0] in (400, 403))
        expect(f"host {host!r} may not ask", sim.request("POST", question, {}, {"Host": host})[0] in (400, 403))
    for origin in ("null", "http://evil.example", f"https://{own}", "http://127.0.0.1", f"http://localhost:{sim.port}",
                   f"http://{own}.evil.example", f"http://evil.example/{own}"):
        expect(f"origin {origin!r} is refused", sim.request("POST", question, {}, {"Origin": origin})[0] == 403)
    expect("its own origin may ask", sim.request("POST", question, {}, {"Origin": f"http://{own}"})[0] == 200)
    led = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    expect("a link may lead to the page", sim.request("GET", page, headers=led)[0] == 200)
    expect("a link leads to nothing else", sim.request("GET", page + "app.js", headers=led)[0] == 403)
    expect("a form is no link", sim.request("POST", question, {}, led)[0] == 403)
    expect("a frame is no link", sim.request("GET", page, headers={**led, "Sec-Fetch-Dest": "iframe"})[0] == 403)
    for site in ("cross-site", "same-site"):
        expect(f"{site} pages may not fetch the page", sim.request("GET", page, headers={"Sec-Fetch-Site": site})[0] == 403)
        expect(f"{site} requests are refused", sim.request("POST", question, {}, {"Sec-Fetch-Site": site})[0] == 403)


def tokens(sim):
    other = "0" * 32 if sim.token != "0" * 32 else "1" * 32
    for path in ("/", "/api/hello", f"/{other}/", f"/{other}/api/hello", f"/{sim.token}", f"/{sim.token[:-1]}/", f"/{sim.token}0/",
                 f"/{sim.token.upper()}x/", f"//{sim.token}/", f"/x/../{sim.token}/", f"/?token={sim.token}", "/app.js",
                 f"/{other}/../{sim.token}/api/hello"):
        for method, body in (("GET", None), ("POST", {})):
            status = sim.request(method, path, body)[0]
            expect(f"{method} {path.replace(sim.token, 'TOKEN')} is refused, not {status}", status == 403)


def paths(sim):
    outside = ["../../../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "app.js/../../x", "./app.js",
               "app.js%00.css", "app.js/", "api/../app.js", "dist/app.js", "src/main.tsx", "api/hello"]
    for path in outside:
        status, text, _ = sim.request("GET", f"/{sim.token}/{path}")
        expect(f"GET {path} gives {status}", status in (400, 403, 404))
        expect(f"GET {path} tells nothing", b"root:" not in text)
    for path in ("", "app.js", "api", "api/", "api/../hello", "api/hello/x", "apihello"):
        status = sim.request("POST", f"/{sim.token}/{path}", {})[0]
        expect(f"POST {path} gives {status}", status in (404, 422))
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        expect(f"{method} does nothing", sim.request(method, f"/{sim.token}/api/go", {})[0] in (400, 403, 404, 405))


def questions(sim):
    for name in ("/etc/passwd", "../../../../etc/passwd", "/proc/self/environ", "", "sim.cc"):
        status, text, _ = sim.request("POST", f"/{sim.token}/api/source", {"file": name})
        expect(f"source of {name!r} is not told", status == 422 and b"root:" not in text)
    target = f"/{sim.token}/api/go"
    expect("a form may not ask", sim.request("POST", target, b"a=b", {"Content-Type": "text/plain"})[0] == 415)
    expect("a form may not ask", sim.request("POST", target, b"{}", {"Content-Type": "application/x-www-form-urlencoded"})[0] == 415)
    for body in (b"", b"[]", b"{", b"null", b"\xff\xfe", b"[" * 100_000):
        expect(f"{body[:8]!r} is no question", sim.request("POST", target, body)[0] == 400)
    wrong = [{}, {"run": -1}, {"run": "x"}, {"run": 10**18}, {"run": 1, "at": -5}, {"run": 1, "thread": 70000}, {"run": 1, "thread": [1]},
             {"run": 1, "then": "worse"}, {"run": 1.5}]
    for request in wrong:
        status = sim.request("POST", target, request)[0]
        expect(f"go {request} gives {status}", status == 422)
    for question in ("steps", "state", "swap", "save", "load", "search", "open", "graph", "node", "variables", "run-to", "visit", "x"):
        status = sim.request("POST", f"/{sim.token}/api/{question}", {"run": 999_999, "text": "nonsense", "finding": 3, "node": 5})[0]
        expect(f"{question} of nothing gives {status}", status == 422)


def loopback_only(sim):
    listening = []
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        address, state = line.split()[1], line.split()[3]
        if state == "0A" and int(address.split(":")[1], 16) == sim.port:
            listening.append(address.split(":")[0])
    expect(f"only the loopback interface listens: {listening}", listening == ["0100007F"])
    six = pathlib.Path("/proc/net/tcp6")
    if six.exists():
        ports = [line.split()[1].split(":")[1] for line in six.read_text().splitlines()[1:]]
        expect("IPv6 does not listen", f"{sim.port:04X}" not in ports)


def processes_below(pid):
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children] + [one for child in children for one in processes_below(int(child))]


def ends(mazurka, program):
    """A port in use, Ctrl-C, and being killed: the program never survives."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = subprocess.run([mazurka, "sim", "--no-open", f"--port={port}", "--", program], capture_output=True, text=True, timeout=60)
        expect("a port in use is told", run.returncode == 2 and f"port {port}" in run.stderr)
    with Simulator(mazurka, "--", program) as sim:
        sim.ask("hello")
        expect("Ctrl-C ends it well", sim.end() == 0)
    sim = Simulator(mazurka, "--", program)
    sim.ask("hello")
    below = processes_below(sim.process.pid)
    expect("the program runs below it", len(below) > 0)
    sim.process.kill()
    sim.process.wait()
    for _ in range(500):
        alive = [pid for pid in below if os.path.exists(f"/proc/{pid}") and "zombie" not in pathlib.Path(f"/proc/{pid}/status").read_text()]
        if not alive:
            break
        time.sleep(0.02)
    expect("the program dies with the simulator", not alive)


def main():
    mazurka, program = sys.argv[1:3]
    with Simulator(mazurka, "--", program) as sim, Simulator(mazurka, "--", program) as other:
        expect("each simulator has a token of its own", sim.token != other.token)
        expect("one's token is no other's", sim.request("GET", f"/{other.token}/")[0] == 403)
        for test in (gate, tokens, paths, questions, loopback_only):
            test(sim)
        expect("after all that it still answers", sim.ask("hello")["kind"] == "program")
    ends(mazurka, program)
    sys.exit(f"{len(FAILED)} failed" if FAILED else 0)


if __name__ == "__main__":
    main()
