"""The words, images, scripts and pages of books' files, read without the program."""
import base64
import hashlib
import io
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

from lxml import etree

import markup

CONTAINER = "META-INF/container.xml"
TEXTS = ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "")
IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".bmp", ".svg", ".jxl", ".tif", ".tiff", ".jp2", ".heic")
# Compression alone is not encryption.
OPEN = "http://www.idpf.org/2016/encryption#compression"


class Book:
    """The content of a book's file."""

    def __init__(self):
        self.words = Counter()
        self.contents = Counter()
        # The words among `words` that name or replace something.
        self.naming = Counter()
        # For each reference to an image: the hash of its bytes or `None`, and its type if a browser shows it.
        self.pictures = []
        self.pages = 0
        self.scripts = 0
        self.fault = None
        # Returns the bytes of the image at a path.
        self.shown = None

    def add_picture(self, content, is_whole=True):
        """Adds a reference to an image; `content` is `None` if the book does not have it."""
        kind = markup.kind_of(content) if content else None
        self.pictures.append((hashlib.sha256(content).hexdigest()[:16] if content else None,
                              kind if is_whole else None))


def read(path):
    """Reads a book's file; `fault` is set to the error of an unreadable one."""
    book = Book()
    try:
        content = Path(path).read_bytes()
        READERS[kind(path)](book, content)
    except Exception as error:  # Files of corpora are broken in every way.
        book.fault = f"{type(error).__name__}: {error}"[:200]
    return book


def kind(path):
    """Returns the kind of a file by its name."""
    name = str(path).lower()
    if name.endswith((".fb2", ".fb2.zip", ".fb2.gz", ".fbz")):
        return "fb2"
    return next((kind for kind in ("epub", "pdf", "cbz", "cbr", "cb7", "cbt") if name.endswith("." + kind)), "other")


class Entries:
    """The entries of a ZIP archive by normalised names: without `./`, and with `/`."""

    def __init__(self, content):
        self.archive = zipfile.ZipFile(io.BytesIO(content))
        self.names = {}
        for entry in self.archive.infolist():
            self.names.setdefault(re.sub(r"^(\./)+", "", entry.filename.replace("\\", "/")), entry)
        self.folded = {name.casefold(): name for name in self.names}

    def get(self, name):
        """Returns the bytes of an entry; `None` if there is none or it is damaged."""
        entry = self.names.get(name) or self.names.get(self.folded.get(name.casefold()))
        try:
            return self.archive.read(entry) if entry else None
        except (RuntimeError, NotImplementedError, zipfile.BadZipFile, EOFError, OSError, ValueError):
            return None
        except Exception as error:
            if type(error).__module__ in ("zlib", "lzma"):
                return None
            raise


def epub(book, content):
    entries = Entries(content)
    package_path, package = package_of(entries)
    locked = locked_entries(entries)
    items, alternatives = {}, {}
    for item in elements(package, "item"):
        if item.get("id") and item.get("href") is not None:
            items.setdefault(item.get("id").strip(), item)
    for item in items.values():
        alternatives[markup.resolved(item.get("href"), package_path)] = item
    book.shown = lambda path: shown_instead(path, alternatives, items, entries, package_path)
    seen = set()
    for reference in elements(package, "itemref"):
        item = items.get((reference.get("idref") or "").strip())
        path, type_ = supported(item, items, package_path)
        if path is None or path in seen:
            continue
        seen.add(path)
        book.pages += 1
        add_page(book, entries, path, type_, locked)
    for item in items.values():
        if "nav" in (item.get("properties") or "").split():
            path = markup.resolved(item.get("href"), package_path)
            source = entries.get(path) if path else None
            if source and path not in locked:
                for nav in elements(markup.page(source), "nav"):
                    book.contents += markup.words(nav)


def package_of(entries):
    container = markup.xml(entries.get(CONTAINER) or b"", lenient=True)
    paths = [one.get("full-path") for one in elements(container, "rootfile") if one.get("full-path")]
    path = next(path for path in paths if entries.get(path) is not None)
    return path, markup.xml(entries.get(path), lenient=True)


def locked_entries(entries):
    source = entries.get("META-INF/encryption.xml")
    if not source:
        return set()
    locked = set()
    for data in elements(markup.xml(source, lenient=True), "encrypteddata"):
        method = next(iter(elements(data, "encryptionmethod")), None)
        # The method may be absent if only compression is declared.
        if method is not None and method.get("Algorithm") != OPEN:
            locked |= {markup.resolved(one.get("URI"), "") for one in elements(data, "cipherreference")
                       if one.get("URI")}
    return locked


def elements(root, wanted):
    return [one for one in root.iter() if markup.name(one) == wanted] if root is not None else []


def supported(item, items, package_path):
    """Follows fallbacks to an item that a browser shows; returns its path and type."""
    for _ in range(8):
        if item is None:
            return None, None
        type_ = (item.get("media-type") or "").strip().lower()
        path = markup.resolved(item.get("href"), package_path)
        if path and (type_ in TEXTS or type_.startswith("image/") or path.lower().endswith((".xhtml", ".html", ".htm"))):
            return path, type_
        item = items.get(item.get("fallback"))
    return None, None


def shown_instead(path, alternatives, items, entries, package_path):
    """Returns the bytes of an image, or of the fallback that the manifest names if browsers do not show it."""
    content = entries.get(path) if path else None
    item = alternatives.get(path)
    for _ in range(8):
        item = items.get(item.get("fallback")) if item is not None else None
        if item is None or content and markup.kind_of(content):
            return content
        other = entries.get(markup.resolved(item.get("href"), package_path) or "")
        content = other if other and markup.kind_of(other) else content
    return content


def add_page(book, entries, path, type_, locked):
    source = entries.get(path)
    if source is None or path in locked:
        return
    if type_.startswith("image/") and not type_.startswith("image/svg"):
        book.add_picture(source)
        return
    root = markup.page(source)
    book.words += markup.words(root)
    book.naming += markup.naming(root)
    book.scripts += sum(1 for one in elements(root, "script")
                        if (one.get("type") or "").lower() in ("", "module") or "javascript" in one.get("type").lower())
    for addresses in markup.pictures(root):
        found = [picture(book, address, path, locked) for address in addresses]
        book.add_picture(*next((one for one in found if one[0] and markup.kind_of(one[0])), found[0]))


def picture(book, address, page, locked):
    """Returns the bytes of an image, and whether they are not encrypted."""
    if address.startswith("data:"):
        return markup.inline(address), True
    target = markup.resolved(address, page)
    return book.shown(target), target not in locked


def fiction(book, content):
    if content[:2] == b"\x1f\x8b":
        import gzip
        content = gzip.decompress(content)
    if content[:2] == b"PK":
        entries = Entries(content)
        content = entries.get(next(name for name in entries.names if name.lower().endswith(".fb2")))
    try:
        root = etree.fromstring(content, etree.XMLParser(huge_tree=True, no_network=True))
    except etree.XMLSyntaxError:
        root = markup.xml(content, lenient=True)
    binaries = {one.get("id"): one.text or "" for one in elements(root, "binary")}
    for body in elements(root, "body"):
        book.pages += 1
        # `style` of FictionBook is a part of a line.
        book.words += markup.words(body, frozenset())
        for image in elements(body, "image"):
            text = binaries.get((markup.attribute(image, "href") or "").lstrip("#"))
            book.add_picture(base64.b64decode(text + "==") if text else None)


def comic(book, content):
    for name, page in sorted(packed(content)):
        parts = name.replace("\\", "/").split("/")
        if parts[-1].lower().endswith(IMAGES) and not parts[-1].startswith(".") and "__MACOSX" not in parts:
            book.pages += 1
            book.add_picture(page)


def packed(content):
    """Yields names and bytes of the entries of a comic's archive."""
    if content[:2] == b"PK":
        entries = Entries(content)
        return [(name, entries.get(name)) for name in entries.names if not name.endswith("/")]
    if content[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            return [(one.name, archive.extractfile(one).read()) for one in archive if one.isfile()]
    return unpacked(content)


def unpacked(content):
    """Unpacks RAR and 7z with the program that is installed."""
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "comic")
        file.write_bytes(content)
        into = Path(folder, "into")
        into.mkdir()
        tool = next((tool for tool in ("bsdtar", "7z", "7zz") if shutil.which(tool)), None)
        if tool is None:
            raise OSError("RAR and 7z need bsdtar or 7z")
        command = [tool, "-xf", file, "-C", into] if tool == "bsdtar" else [tool, "x", "-y", f"-o{into}", file]
        subprocess.run(command, capture_output=True, check=True, timeout=120)
        return [(str(one.relative_to(into)), one.read_bytes()) for one in into.rglob("*") if one.is_file()]


def whole(book, content):
    """Reads nothing: such a file is archived unchanged."""


READERS = {"epub": epub, "fb2": fiction, "cbz": comic, "cbr": comic, "cb7": comic, "cbt": comic, "pdf": whole,
           "other": whole}
