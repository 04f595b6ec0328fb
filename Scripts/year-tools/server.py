"""A web server on loopback whose responses come from a stateful object."""
import email.utils
import http.server
import threading


class Answer:
    def __init__(self, body=b"", kind="application/json", status=200, headers=()):
        self.body = body if isinstance(body, bytes) else body.encode()
        self.kind, self.status, self.headers = kind, status, list(headers)


class Faults:
    """The faults of a server tonight."""

    def __init__(self):
        self.is_down = False
        self.refuses_login = False
        self.refuses_files = False
        self.ahead = 0


class Server:
    """Serves `site.answer(request)` and counts requests, on two addresses, one of which responds at a time."""

    def __init__(self, site, clock):
        self.site, self.clock, self.faults = site, clock, Faults()
        self.requests = []
        self.ports = [self._listen(0), self._listen(1)]
        self.place = 0

    @property
    def address(self):
        return f"http://127.0.0.1:{self.ports[self.place]}"

    def now(self):
        """Returns the time of the server's clock."""
        return self.clock.now() + self.faults.ahead

    def _listen(self, place):
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body are two writes; with Nagle's algorithm the second waits for the first one's acknowledgement.
            disable_nagle_algorithm = True

            def respond(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                server.requests.append(f"{self.command} {self.path}")
                answer = server.answer(place, self.command, self.path, self.headers, body)
                self.send_response_only(answer.status)
                self.send_header("Date", email.utils.formatdate(server.now(), usegmt=True))
                self.send_header("Content-Type", answer.kind)
                self.send_header("Content-Length", str(len(answer.body)))
                for name, value in answer.headers:
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(answer.body)

            do_GET = do_POST = do_HEAD = respond

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            # A killed client is not an error of the server.
            def handle_error(self, *_):
                pass

        listener = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        return listener.server_port

    def answer(self, place, method, path, headers, body):
        if self.faults.is_down or place != self.place:
            # A Retry-After that no run waits for, so that outages take no real time.
            return Answer(b"down", "text/plain", 503, [("Retry-After", "86000")])
        if self.faults.refuses_files and path.startswith(self.site.FILES):
            return Answer(b"no", "text/plain", 500)
        return self.site.answer(self, method, path, headers, body)
