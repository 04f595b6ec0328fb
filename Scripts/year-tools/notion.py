"""A Notion workspace: pages, a database with rows, blocks, files with presigned URLs, comments."""
import copy
import datetime
import json
import re
import urllib.parse

from pictures import digest, png, removed
from server import Answer

PLAIN = {"bold": False, "italic": False, "strikethrough": False, "underline": False, "code": False,
         "color": "default"}
NUMBERS = "a1b2c3d4e5f64780b1c2"


def dashed(key):
    return f"{key[:8]}-{key[8:12]}-{key[12:16]}-{key[16:20]}-{key[20:]}"


def number(count):
    return f"{NUMBERS}{count:012x}"


def minute(moment):
    """Returns a time with Notion's precision, minutes."""
    time = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:00.000Z")


def rich(text):
    return [{"type": "text", "text": {"content": text, "link": None}, "annotations": PLAIN,
             "plain_text": text, "href": None}]


class Page:
    def __init__(self, key, count, moment, is_row):
        self.id, self.count, self.is_row = key, count, is_row
        self.created = moment
        self.text_version, self.picture_version = 1, 1
        self.comments = []
        # The bytes of each image by name; `None` is answered with 404.
        self.pictures = {f"{key}-{index}-1.png": png(f"{key}/{index}/1") for index in range(count % 3)}
        self.labels = []
        self.touch(moment)

    def touch(self, moment):
        self.updated = moment
        self.announced = {digest(content) for content in self.pictures.values()
                          if content and content != removed()}

    @property
    def token(self):
        return f"zqpage{self.count}v{self.text_version}x"


class Notion:
    KIND = "notion"
    FILES = ("/files/",)
    DATABASE, TABLE = number(0xD0), number(0xD1)

    def __init__(self):
        self.pages, self.trash = {}, {}
        self.count = 0x1000
        self.has_new_fields = False
        self.backups = []

    @staticmethod
    def listing_requests(requests):
        """Returns how many requests an incremental listing took: all but those for pages that are fetched again because
        comments were written after their last edits. Each of these takes four and more."""
        contents = [line for line in requests if "/v1/blocks/" in line and "start_cursor" not in line]
        parts = ("GET /v1/blocks/", "GET /v1/users", "GET /v1/data_sources/", "GET /v1/views")
        others = [line for line in requests if line.startswith(parts)]
        return len(requests) - len(others) - 2 * len(contents)

    @staticmethod
    def quiet_requests(items):
        """Maximum requests of a night without changes."""
        return 10 + items // 100

    @classmethod
    def whole_requests(cls, items):
        """Maximum requests of a full listing, which walks through the blocks of each page, and fetches pages
        again, once, that have later comments: of a few pages in a week."""
        return cls.quiet_requests(items) + items + items // 8

    def settings(self, address):
        return {"NOTION_API_URL": address, "NOTION_TOKEN": "ntn_year"}

    # The actions of the user.

    def add(self, moment, stamp=None):
        self.count += 1
        key = number(self.count)
        self.pages[key] = Page(key, self.count, stamp or moment, is_row=self.count % 4 == 0)
        return key

    def rewrite(self, key, moment):
        self.pages[key].text_version += 1
        self.pages[key].touch(moment)

    def label(self, key, moment):
        self.pages[key].labels.append(f"label {len(self.pages[key].labels)}")
        self.pages[key].touch(moment)

    def highlight(self, key, moment):
        page = self.pages[key]
        page.comments.append((moment, f"Comment zqcomment{len(page.comments)}x"))
        self.pages[key].touch(moment)

    def delete(self, key, moment):
        page = self.trash[key] = self.pages.pop(key)
        page.updated = moment

    def repaint(self, key, moment, tells):
        """Replaces the bytes of an image: silently at the same URL, otherwise at another one, as Notion does."""
        page = self.pages[key]
        page.picture_version += 1
        contents = {name: png(f"{name}/{moment}") for name in page.pictures}
        if tells:
            page.pictures = {re.sub(r"\d+\.png$", f"{page.picture_version}.png", name): content
                             for name, content in contents.items()}
            page.touch(moment)
        else:
            page.pictures = contents

    def remove_pictures(self, key):
        self.pages[key].pictures = {name: removed() for name in self.pages[key].pictures}

    def add_without_pictures(self, moment):
        key = self.add(moment)
        self.pages[key].pictures = {f"{key}-0-1.png": None}
        self.pages[key].touch(moment)
        return key

    def deliver_pictures(self, key):
        if key in self.pages:
            page = self.pages[key]
            page.pictures = {name: png(f"{name}/late") for name in page.pictures}
            page.touch(page.updated)

    def with_pictures(self):
        return [key for key, page in self.pages.items() if page.announced]

    def upgrade(self):
        self.has_new_fields = True

    def back_up(self):
        self.backups.append((copy.deepcopy(self.pages), copy.deepcopy(self.trash)))

    def restore(self, age):
        self.pages, self.trash = copy.deepcopy(self.backups[-age])

    # The model's view.

    def wanted(self):
        return {key: ({page.token}, page.announced & {digest(content) for content in page.pictures.values()
                                                      if content})
                for key, page in self.pages.items()}

    def lacks_files(self):
        return any(content is None for page in self.pages.values() for content in page.pictures.values())

    # Responses.

    def answer(self, server, method, path, headers, body):
        path, _, query = path.partition("?")
        if path.startswith("/files/"):
            return self.file(path.removeprefix("/files/"))
        if headers.get("Authorization") != "Bearer ntn_year" or server.faults.refuses_login:
            return self.error(401, "unauthorized", "API token is invalid.")
        fields = dict(urllib.parse.parse_qsl(query))
        order = json.loads(body) if body else {}
        route = path.removeprefix("/v1/").split("/")
        key = route[1].replace("-", "") if len(route) > 1 else ""
        match (method, route):
            case ("POST", ["search"]):
                return self.search(order)
            case ("GET", ["users"]):
                return self.list([], fields)
            case ("GET", ["comments"]):
                return self.comments(fields)
            case ("GET", ["pages", _]) if key in self.pages or key in self.trash:
                return Answer(json.dumps(self.record(self.pages.get(key) or self.trash[key])))
            case ("GET", ["databases", _]) if key == self.DATABASE:
                return Answer(json.dumps(self.database()))
            case ("GET", ["data_sources", _]) if key == self.TABLE:
                return Answer(json.dumps(self.table()))
            case ("POST", ["data_sources", _, "query"]) if key == self.TABLE:
                return self.query(order)
            case ("GET", ["views"]):
                return self.list([], fields)
            case ("GET", ["blocks", _, "children"]) if key in self.pages:
                return self.list(self.blocks(self.pages[key], server), fields)
        return self.error(404, "object_not_found", "Could not find it.")

    @staticmethod
    def error(status, code, message):
        return Answer(json.dumps({"object": "error", "status": status, "code": code, "message": message}),
                      status=status)

    @staticmethod
    def list(items, order):
        start = int(order.get("start_cursor", "s0")[1:])
        end = start + min(int(order.get("page_size", 100)), 100)
        has_more = end < len(items)
        return Answer(json.dumps({"object": "list", "results": items[start:end], "has_more": has_more,
                                  "next_cursor": f"s{end}" if has_more else None}))

    def search(self, order):
        condition = order.get("filter", {})
        pages = self.trash if condition.get("in_trash") else self.pages
        records = [self.record(page) for page in pages.values()]
        if condition.get("value") == "data_source":
            records = []
        if not condition.get("in_trash") and condition.get("value") != "page":
            records.append(self.table())
        records.sort(key=lambda record: (record["last_edited_time"], record["id"]), reverse=True)
        return self.list(records, order)

    def query(self, order):
        rows = [self.record(page) for page in self.pages.values() if page.is_row]
        condition = order.get("filter") or {}
        for part in condition.get("and", [condition] if condition else []):
            field = part["timestamp"]
            start = part[field]["on_or_after"][:16]
            rows = [row for row in rows if row[field][:16] >= start]
        return self.list(rows, order)

    def comments(self, fields):
        page = self.pages.get(fields.get("block_id", "").replace("-", ""))
        return self.list([
            {"object": "comment", "id": dashed(number(page.count * 0x10000 + index)),
             "parent": {"type": "page_id", "page_id": dashed(page.id)}, "discussion_id": "d1",
             "created_time": minute(moment), "display_name": {"type": "user", "resolved_name": "Ada"},
             "rich_text": rich(text)}
            for index, (moment, text) in enumerate(page.comments)] if page else [], fields)

    def common(self, key, created, edited):
        record = {"id": dashed(key), "created_time": minute(created), "last_edited_time": minute(edited),
                  "in_trash": key in self.trash, "icon": None, "cover": None,
                  "url": f"https://www.notion.so/{key}"}
        return record | ({"added_by_the_upgrade": {"of": ["a", "kind"]}} if self.has_new_fields else {})

    def record(self, page):
        title = {"id": "title", "type": "title", "title": rich(f"Page {page.count}")}
        tags = {"id": "tags", "type": "multi_select",
                "multi_select": [{"id": label, "name": label, "color": "default"} for label in page.labels]}
        parent = {"type": "data_source_id", "data_source_id": dashed(self.TABLE),
                  "database_id": dashed(self.DATABASE)} if page.is_row else \
            {"type": "workspace", "workspace": True}
        properties = {"Name": title, "Tags": tags} if page.is_row else {"title": title}
        return self.common(page.id, page.created, page.updated) | {
            "object": "page", "is_archived": False, "parent": parent, "properties": properties,
            "public_url": None}

    def database(self):
        return self.common(self.DATABASE, 1_700_000_000, 1_700_000_000) | {
            "object": "database", "title": rich("Table"), "description": [],
            "parent": {"type": "workspace", "workspace": True},
            "data_sources": [{"id": dashed(self.TABLE), "name": "Table"}]}

    def table(self):
        return self.common(self.TABLE, 1_700_000_000, 1_700_000_000) | {
            "object": "data_source", "title": rich("Table"), "description": [],
            "properties": {"Name": {"id": "title", "name": "Name", "type": "title", "title": {}},
                           "Tags": {"id": "tags", "name": "Tags", "type": "multi_select",
                                    "multi_select": {"options": []}}},
            "parent": {"type": "database_id", "database_id": dashed(self.DATABASE)},
            "database_parent": {"type": "workspace", "workspace": True}}

    def blocks(self, page, server):
        texts = [("paragraph", {"rich_text": rich(f"Sentence {index} of page {page.count} says {page.token}."),
                                "color": "default"}) for index in range(12)]
        files = [("image", {"type": "file", "caption": [], "file": {
            "url": f"{server.address}/files/{name}?X-Amz-Expires=3600&X-Amz-Signature=s{int(server.now())}",
            "expiry_time": minute(server.now() + 3600)}}) for name in page.pictures]
        return [{"object": "block", "id": dashed(number(page.count * 0x100 + index)), "type": kind, kind: content,
                 "parent": {"type": "page_id", "page_id": dashed(page.id)}, "in_trash": False,
                 "has_children": False, "created_time": minute(page.created),
                 "last_edited_time": minute(page.updated)}
                for index, (kind, content) in enumerate(texts + files)]

    def file(self, name):
        page = self.pages.get(name.split("-")[0])
        content = page.pictures.get(name) if page else None
        return Answer(content, "image/png") if content else Answer(b"", "application/xml", 404)
