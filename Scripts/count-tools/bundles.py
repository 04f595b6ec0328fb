"""The words, images and scripts of the pages of an archive's bundles."""
import base64
import hashlib
import json
import re
from collections import Counter
from urllib.parse import unquote, urlsplit

import markup

POLICY = re.compile(r"script-src ([^;\"]*)")


class Bundle:
    """The content of a bundle."""

    def __init__(self, folder, read=markup.quick):
        self.folder, self._parse = folder, read
        self.item = json.loads((folder / "item.json").read_text())
        self.words = Counter()
        self.contents = Counter()
        self.labels = Counter()
        # References to files that exist and are not empty, by the hash of their bytes.
        self.pictures = Counter()
        self.drawings = Counter()
        self.scripts = Counter()
        self.handlers = 0
        self.pages = 0
        self._hashes = {}
        for page in sorted(folder.glob("book/text/*.html")):
            self._read(page)
        self._scripts(folder / "index.html")

    @property
    def files(self):
        """Returns the hashes of the files that the source delivered."""
        return {asset["sha256"] for asset in self.item.get("assets") or [] if self._is_there(asset["path"])}

    @property
    def told(self):
        """Returns the bundle's sentences about missing and left-out parts."""
        item = self.item
        missing = [f"{one['kind']}: {one.get('name', '')} {one.get('reason', '')}" for one in item.get("missing") or []]
        left = [f"{name} ({count})" for name, count in (item.get("leftOut") or {}).items()]
        lost = [f"picture: {one.get('reason', '')}" for one in (item.get("images") or {}).get("missing") or []]
        return list(item.get("notes") or []) + missing + left + lost

    def _is_there(self, path):
        file = self.folder / path
        return file.is_file() and file.stat().st_size > 0

    def _read(self, path):
        root = self._scripts(path)
        main = next((one for one in root.iter("main")), None)
        if main is None:
            return
        if path.name == "contents.html":
            self.contents += markup.words(main)
            return
        self.pages += 1
        for sheet in main.iter("div"):
            if "sheet" in (sheet.get("class") or "").split():
                self.words += markup.words(sheet)
                self.labels += markup.labels(sheet)
        for addresses in markup.pictures(main):
            self._add(addresses[0], path)
        for element in main.iter("a", "video", "audio", "source"):
            target = urlsplit(element.get("href") or element.get("src") or "").path
            if target.startswith("../assets/"):
                self._add(target, path)

    def _add(self, address, page):
        if address.startswith("data:"):
            content = markup.inline(address)
            if content:
                self.pictures[hashlib.sha256(content).hexdigest()[:16]] += 1
            return
        file = (page.parent / unquote(urlsplit(address).path)).resolve()
        if file not in self._hashes:
            content = file.read_bytes() if file.is_file() else b""
            self._hashes[file] = hashlib.sha256(content).hexdigest()[:16] if content else None
        if self._hashes[file]:
            (self.drawings if file.suffix == ".svg" else self.pictures)[self._hashes[file]] += 1

    def _scripts(self, path):
        """Counts the scripts of a page by the hash that its policy names them by; returns the page."""
        root = self._parse(path.read_text(errors="replace"))
        for element in root.iter():
            tag = markup.name(element)
            if tag == "script":
                text = "".join(element.itertext())
                digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                self.scripts["src" if element.get("src") else f"'sha256-{digest}'"] += 1
            for name, value in element.items() if tag else ():
                if name.lower().startswith("on") or value.strip().lower().startswith("javascript:"):
                    self.handlers += 1
            if tag == "meta" and (element.get("http-equiv") or "").lower() == "content-security-policy":
                allowed = POLICY.search(element.get("content") or "")
                for source in allowed.group(1).split() if allowed else ():
                    if source != "'none'":
                        self.scripts[source] += 0
        return root

    def foreign(self, own):
        """Returns the number of scripts that are not the program's own, with handlers and those that policies permit."""
        drawings = sum(1 for file in self.folder.glob("book/**/*.svg")
                       if re.search(rb"<(\w+:)?script|\son\w+\s*=|javascript:", file.read_bytes(), re.I))
        return sum(max(count, 1) for script, count in self.scripts.items() if script not in own) + self.handlers + drawings


def folders(archive):
    """Returns the folders of an archive's bundles by the identifiers of their items."""
    return {json.loads(file.read_text())["id"]: file.parent for file in archive.glob("*/*/item.json")}
