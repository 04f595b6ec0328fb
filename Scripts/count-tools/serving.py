"""Serves a folder of books as an OPDS 1.2 catalog on loopback."""
import http.server
import threading
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import sources

PAGE = 100
TYPES = {
    "epub": "application/epub+zip", "fb2": "application/x-fictionbook", "cbz": "application/vnd.comicbook+zip",
    "cbr": "application/vnd.comicbook-rar", "cb7": "application/x-cb7", "cbt": "application/x-cbt",
    "pdf": "application/pdf", "other": "application/octet-stream"}


def identifier(number):
    return f"urn:count:{number}"


class Catalog:
    """A catalog of files; each has the identifier of its index in `files`."""

    def __init__(self, files):
        self.files = [Path(file) for file in files]
        catalog = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                body, kind = catalog.answer(self.path)
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body or b"")

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/opds?page=0"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path):
        """Returns the body and the type of a path."""
        if path.startswith("/opds?page="):
            return self.feed(int(path.rpartition("=")[2])).encode(), "application/atom+xml;profile=opds-catalog"
        if path.startswith("/file/"):
            file = self.files[int(path.split("/")[2])]
            return file.read_bytes(), TYPES[sources.kind(file)]
        return None, "text/plain"

    def feed(self, page):
        begin, end = page * PAGE, min((page + 1) * PAGE, len(self.files))
        entries = "".join(self.entry(number) for number in range(begin, end))
        following = f'<link rel="next" href="/opds?page={page + 1}"/>' if end < len(self.files) else ""
        return (f'<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:count</id><title>Books</title>'
                f'<updated>2026-01-01T00:00:00Z</updated>{following}{entries}</feed>')

    def entry(self, number):
        file = self.files[number]
        kind = TYPES[sources.kind(file)]
        return (f'<entry><id>{identifier(number)}</id><title>{escape(file.name)}</title>'
                f'<updated>2026-01-01T00:00:00Z</updated>'
                f'<link rel="http://opds-spec.org/acquisition" type={quoteattr(kind)} '
                f'href="/file/{number}/book.{"".join(file.suffixes[-1:]).lstrip(".").lower()}"/></entry>')
