"""Starts `mazurka sim` for tests, and asks it questions as its page does."""

import http.client
import json
import re
import signal
import subprocess


class Simulator:
    def __init__(self, mazurka, *arguments, opens=False, **options):
        self.process = subprocess.Popen([mazurka, "sim", *([] if opens else ["--no-open"]), *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, **options)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"the simulator is at (http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/)\n", line)
        if not found:
            self.process.kill()
            raise RuntimeError(f"no address: {line!r} {self.process.stderr.read()}")
        self.address, self.port, self.token = found.group(1), int(found.group(2)), found.group(3)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def end(self):
        """By Ctrl-C, as a user does. Gives back the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
            sent = {"Host": f"127.0.0.1:{self.port}", "Content-Length": str(len(data))}
            if body is not None:
                sent["Content-Type"] = "application/json"
            sent.update(headers or {})
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(data)
            response = connection.getresponse()
            return response.status, response.read(), dict(response.getheaders())
        finally:
            connection.close()

    def ask(self, question, **request):
        status, text, _ = self.request("POST", f"/{self.token}/api/{question}", request)
        answer = json.loads(text)
        if status != 200:
            raise RuntimeError(f"{question}: {status} {answer}")
        return answer
