"""The parts of a Readeck 0.22 that archiver uses: bookmarks, articles, images, highlights."""
import copy
import json
import re
import urllib.parse

from clock import rfc3339
from pictures import digest, png, removed
from server import Answer


class Bookmark:
    def __init__(self, key, number, moment):
        self.id, self.number = key, number
        self.created = self.updated = moment
        self.title = f"Article {number}"
        self.text_version = 1
        # The bytes of each image by name; `None` is answered with 404.
        self.pictures = {f"p{index}.png": png(f"{key}/{index}/1") for index in range(number % 3)}
        self.labels, self.highlights = [], []
        self.touch(moment)

    def touch(self, moment):
        """Records a change. Only the images that exist then are required: archiver does not compare them otherwise."""
        self.updated = moment
        self.announced = {digest(content) for content in self.pictures.values()
                          if content and content != removed()}

    @property
    def token(self):
        return f"zq{self.id.lower()}v{self.text_version}x"

    @property
    def sentences(self):
        return [f"Sentence {index} of {self.title} in its version {self.text_version} says {self.token}."
                for index in range(12)]


class Readeck:
    KIND = "readeck"
    FILES = ("/bm/",)

    listing_requests = staticmethod(len)

    @staticmethod
    def quiet_requests(_items):
        """Maximum requests of a night without changes; the account is requested once a week."""
        return 3

    whole_requests = quiet_requests

    def settings(self, address):
        return {"READECK_URL": address, "READECK_TOKEN": self.token}

    def __init__(self, token="year-token"):
        self.token = token
        self.bookmarks, self.deletions = {}, []
        self.count = 0
        self.version = "0.22.3"
        self.backups = []

    # The actions of the user.

    def add(self, moment, stamp=None):
        self.count += 1
        key = f"Yr{self.count:06d}Bookmark{self.count % 97:02d}AbCd"
        self.bookmarks[key] = Bookmark(key, self.count, moment)
        if stamp:
            self.bookmarks[key].touch(stamp)
        return key

    def rewrite(self, key, moment):
        bookmark = self.bookmarks[key]
        bookmark.text_version += 1
        bookmark.touch(moment)

    def label(self, key, moment):
        self.bookmarks[key].labels.append(f"label {len(self.bookmarks[key].labels)}")
        self.bookmarks[key].touch(moment)

    def highlight(self, key, moment):
        bookmark = self.bookmarks[key]
        if len(bookmark.highlights) < 10:
            bookmark.highlights.append((f"h{len(bookmark.highlights)}{key}"[:22], moment))
        bookmark.touch(moment)

    def repaint(self, key, moment, tells):
        """Replaces the bytes of each image at its URL, with or without a change of the record."""
        bookmark = self.bookmarks[key]
        bookmark.pictures = {name: png(f"{key}/{name}/{moment}") for name in bookmark.pictures}
        if tells:
            bookmark.touch(moment)

    def remove_pictures(self, key):
        bookmark = self.bookmarks[key]
        bookmark.pictures = {name: removed() for name in bookmark.pictures}

    def add_without_pictures(self, moment):
        """Adds an item whose images do not exist yet; returns its id."""
        key = self.add(moment)
        self.bookmarks[key].pictures = {"late.png": None}
        self.bookmarks[key].touch(moment)
        return key

    def deliver_pictures(self, key):
        if key in self.bookmarks:
            bookmark = self.bookmarks[key]
            bookmark.pictures = {name: png(f"{key}/{name}/late") for name in bookmark.pictures}
            bookmark.touch(bookmark.updated)

    def with_pictures(self):
        return [key for key, b in self.bookmarks.items() if b.announced]

    def upgrade(self):
        self.version = "0.23.0"

    def delete(self, key, moment):
        del self.bookmarks[key]
        self.deletions.append((key, moment))

    def back_up(self):
        self.backups.append((copy.deepcopy(self.bookmarks), list(self.deletions)))

    def restore(self, age):
        self.bookmarks, self.deletions = copy.deepcopy(self.backups[-age])

    # The model's view.

    def wanted(self):
        """The required content of each item: its words, and its images by digest."""
        return {key: ({b.token}, b.announced & {digest(content) for content in b.pictures.values() if content})
                for key, b in self.bookmarks.items()}

    def lacks_files(self):
        return any(content is None for b in self.bookmarks.values() for content in b.pictures.values())

    # Responses.

    def answer(self, server, method, path, headers, body):
        path, _, query = path.partition("?")
        if path.startswith("/bm/"):
            return self.file(path, headers)
        if headers.get("Authorization") != f"Bearer {self.token}" or server.faults.refuses_login:
            return Answer('{"status":401,"message":"Unauthorized"}', status=401)
        route = path.removeprefix("/api/").split("/")
        fields = dict(urllib.parse.parse_qsl(query))
        match (method, route):
            case ("GET", ["info"]):
                return Answer(json.dumps({"version": {"canonical": self.version, "release": self.version,
                                                      "build": ""}, "features": ["oauth"]}))
            case ("GET", ["profile"]):
                return Answer('{"provider":{"name":"bearer token","id":""},"user":{"username":"reader"}}')
            case ("GET", ["bookmarks", "sync"]):
                return self.changes(fields.get("since"))
            case ("POST", ["bookmarks", "sync"]):
                return self.contents(json.loads(body), server)
            case ("GET", ["bookmarks", key, *rest]) if key in self.bookmarks:
                return self.detail(self.bookmarks[key], rest, server)
        return Answer('{"status":404,"message":"Not Found"}', status=404)

    def changes(self, since):
        entries = [(rfc3339(b.updated), key, "update") for key, b in self.bookmarks.items()]
        if since:
            entries += [(rfc3339(moment), key, "delete") for key, moment in self.deletions]
            entries = [entry for entry in entries if comparable(entry[0]) >= comparable(since)]
        entries.sort(key=lambda entry: comparable(entry[0]), reverse=True)
        return Answer(json.dumps([{"id": key, "time": time, "type": kind} for time, key, kind in entries]))

    def contents(self, order, server):
        parts = []
        for key in order.get("id", []):
            if key not in self.bookmarks:
                continue
            b = self.bookmarks[key]
            parts.append(self.part(key, "json", "application/json", json.dumps(self.record(b, server))))
            parts.append(self.part(key, "html", "text/html", self.article(b, server, is_bare=True)))
        body = "".join(f"--year\r\n{part}\r\n" for part in parts) + "--year--\r\n"
        return Answer(body, 'multipart/mixed; boundary="year"')

    @staticmethod
    def part(key, name, kind, text):
        return (f"Bookmark-Id: {key}\r\nContent-Type: {kind}; charset=utf-8\r\n"
                f"Filename: {name}\r\nType: {name}\r\n\r\n{text}")

    def detail(self, b, rest, server):
        if rest == []:
            return Answer(json.dumps(self.record(b, server)))
        if rest == ["article"]:
            return Answer(self.article(b, server, is_bare=False), "text/html; charset=utf-8")
        if rest == ["annotations"]:
            return Answer(json.dumps([
                {"id": key, "start_selector": "p[1]", "start_offset": 0, "end_selector": "p[1]",
                 "end_offset": 9, "color": "yellow", "created": rfc3339(moment),
                 "text": b.sentences[index], "note": ""}
                for index, (key, moment) in enumerate(b.highlights)]))
        return Answer(b"{}", status=404)

    def record(self, b, server):
        base = server.address
        record = {
            "id": b.id, "href": f"{base}/api/bookmarks/{b.id}", "created": rfc3339(b.created),
            "updated": rfc3339(b.updated), "state": 0, "loaded": True,
            "url": f"https://articles.example.org/{b.number}", "title": b.title, "site_name": "Articles",
            "site": "articles.example.org", "authors": ["A. Writer"], "lang": "en",
            "text_direction": "ltr", "document_type": "article", "type": "article", "has_article": True,
            "description": "", "is_deleted": False, "is_marked": False, "is_archived": False,
            "labels": b.labels, "read_progress": 0,
            "resources": {"article": {"src": f"{base}/api/bookmarks/{b.id}/article"}}}
        if self.version != "0.22.3":
            record["added_by_the_upgrade"] = {"of": ["a", "kind"], "not": "known"}
        return record

    def article(self, b, server, is_bare):
        sentences = list(b.sentences)
        for index, (key, _) in enumerate(b.highlights):
            mark = "" if is_bare else f' id="annotation-{key}" data-annotation-id-value="{key}"'
            sentences[index] = f"<rd-annotation{mark}>{sentences[index]}</rd-annotation>"
        folder = f"{server.address}/bm/{b.id[:2]}/{b.id}/_resources"
        images = "".join(f'<p><img src="{folder}/{name}" alt=""></p>' for name in b.pictures)
        return "<section>" + "".join(f"<p>{text}</p>" for text in sentences) + images + "</section>"

    def file(self, path, headers):
        match = re.fullmatch(r"/bm/../([^/]+)/_resources/([^/]+)", path)
        b = self.bookmarks.get(match[1]) if match else None
        content = b.pictures.get(match[2]) if b else None
        if content is None:
            return Answer(b"not found", "text/plain", 404)
        tag = f'"{digest(content)[:16]}"'
        if headers.get("If-None-Match") == tag:
            return Answer(b"", "image/png", 304, [("ETag", tag)])
        return Answer(content, "image/png", 200, [("ETag", tag)])


def comparable(text):
    """RFC 3339 in UTC with a fraction of any length, so that texts sort like times."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    return whole, (fraction + "000000000")[:9]
