"""Archives a folder of books and counts what their bundles lack."""
import hashlib
import json
import os
import re
import subprocess
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import bundles
import markup
import serving
import sources

# Sentences about these do not account for missing words or images.
OTHER = re.compile(r"^(scripts|animations and scripts of SVG images|event handlers)\b")


class Count:
    """The parts of a book that its bundle lacks."""

    def __init__(self, file, kind):
        self.file, self.kind = str(file), kind
        self.words = self.lost_words = self.contents = self.lost_contents = 0
        self.pictures = self.lost_pictures = self.displayable = self.lost_displayable = 0
        self.pages = self.foreign_scripts = self.book_scripts = 0
        self.is_archived = self.is_kept = self.is_read = False
        self.fault = None
        self.examples = []
        self.told = []

    @property
    def loses(self):
        """Whether the bundle lacks anything of the book."""
        return bool(self.lost_words or self.lost_contents or self.lost_pictures or not self.is_archived
                    or not self.is_kept or self.is_unread)

    @property
    def is_unread(self):
        """Whether the book has no pages though its format has."""
        return self.kind not in ("pdf", "other") and not self.is_read

    @property
    def is_told(self):
        """Whether the bundle reports that something is missing."""
        parts = [part for sentence in self.told for part in re.split(r", |: ", sentence)]
        return any(not OTHER.match(part) for part in parts if not part.startswith("The pages lack parts"))


def compare(file, book, bundle, own):
    """Returns the counts of what a book's bundle lacks; `own` are the program's scripts."""
    count = Count(file, sources.kind(file))
    count.words, count.contents, count.fault = sum(book.words.values()), sum(book.contents.values()), book.fault
    count.pictures = len(book.pictures)
    count.displayable = sum(1 for _, kind in book.pictures if kind)
    count.book_scripts = book.scripts
    if bundle is None:
        count.lost_words, count.lost_pictures, count.lost_displayable = count.words, count.pictures, count.displayable
        return count
    count.is_archived, count.pages = True, bundle.pages
    count.is_read = bundle.pages > 0
    count.is_kept = hashlib.sha256(Path(file).read_bytes()).hexdigest() in bundle.files
    lost = book.words - bundle.words
    # Words that name an SVG image may have become its label.
    lost -= (lost & book.naming) & bundle.labels
    contents = book.contents - bundle.contents - bundle.words
    count.lost_words, count.lost_contents = sum(lost.values()), sum(contents.values())
    count.examples = [f"{word} ({number})" for word, number in (lost + contents).most_common(8)]
    count.lost_pictures, count.lost_displayable = lost_pictures(book, bundle)
    count.foreign_scripts = bundle.foreign(own)
    count.told = bundle.told
    return count


def lost_pictures(book, bundle):
    """Returns how many references to images are lost, of all and of those that browsers show."""
    there, drawings = bundle.pictures.copy(), sum(bundle.drawings.values())
    lost = displayable = 0
    for digest, kind in sorted(book.pictures, key=lambda one: (one[1] != "svg", str(one))):
        # An SVG image is rewritten without its scripts, so only the number of them can be compared.
        if kind == "svg" and drawings > 0:
            drawings -= 1
        elif digest and there[digest] > 0:
            there[digest] -= 1
        else:
            lost += 1
            displayable += kind is not None
    return lost, displayable


def archive(program, files, folder):
    """Archives files with the program; returns its exit code and last lines."""
    catalog = serving.Catalog(files)
    names = {name: value for name, value in os.environ.items()
             if not name.startswith(("BOOKS_", "READECK_", "NOTION_", "ARCHIVER_"))}
    try:
        done = subprocess.run(
            [program, "run", "--source", "books", "--all-formats", "--quiet", "--archive", folder],
            env={**names, "BOOKS_URL": catalog.address, "XDG_CONFIG_HOME": f"{folder}.config"},
            capture_output=True, text=True, errors="replace")
    finally:
        catalog.close()
    return done.returncode, (done.stdout + done.stderr)[-1000:]


def control(folder):
    """Writes a book without scripts: the scripts in its bundle's pages are the program's own."""
    path = Path(folder, "control.epub")
    write_epub(path, ["<p>control</p>"])
    return path


def write_epub(path, bodies, files=(), contents=""):
    """Writes an EPUB of pages with these bodies."""
    pages = [(f"c{number}.xhtml", body) for number, body in enumerate(bodies, 1)]
    page = ('<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head>'
            "<title>Page</title></head><body>{}</body></html>")
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name, _ in pages)
    items += "".join(f'<item id="{name}" href="{name}" media-type="image/png"/>' for name, _ in files)
    spine = "".join(f'<itemref idref="{name}"/>' for name, _ in pages)
    nav = contents or '<nav epub:type="toc"><ol><li><a href="c1.xhtml">Page</a></li></ol></nav>'
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mimetype", "application/epub+zip")
        file.writestr("META-INF/container.xml",
                      '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                      '<rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
        file.writestr("c.opf",
                      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata '
                      'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:count</dc:identifier>'
                      "<dc:title>Count</dc:title><dc:language>en</dc:language></metadata><manifest>"
                      f'{items}<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
                      f"</manifest><spine>{spine}</spine></package>")
        file.writestr("nav.xhtml", page.format(nav))
        for name, body in pages:
            file.writestr(name, page.format(body))
        for name, content in files:
            file.writestr(name, content)


def count(program, files, folder=None, progress=lambda *_: None, read=markup.quick):
    """Archives files and returns the counts of each, and the program's exit code and last lines.

    Without a program, `folder` is the archive of an earlier call with the same files."""
    with tempfile.TemporaryDirectory() as temporary:
        into = Path(folder or f"{temporary}/archive")
        files = [control(temporary), *files]
        code, output = archive(program, files, into) if program else (None, "")
        found = bundles.folders(into)
        own = found.get(serving.identifier(0))
        if own is None:
            raise SystemExit(f"count-loss: the program did not archive a plain book: {output}")
        own = set(bundles.Bundle(own, read).scripts)
        counts = []
        for number, file in enumerate(files[1:], 1):
            folder = found.get(serving.identifier(number))
            book = sources.read(file)
            counts.append(compare(file, book, folder and bundles.Bundle(folder, read), own))
            # libxml2 parses some elements in SVG images differently from browsers.
            if folder and counts[-1].loses:
                counts[-1] = compare(file, book, bundles.Bundle(folder, markup.markup), own)
            progress(number, len(files) - 1)
        return counts, code, output


def totals(counts):
    """Returns the sums of counts, by kind of file and of all."""
    kinds = {}
    for one in counts:
        for kind in (one.kind, "all"):
            sums = kinds.setdefault(kind, Counter())
            for name in ("words", "lost_words", "contents", "lost_contents", "pictures", "lost_pictures", "displayable",
                         "lost_displayable", "foreign_scripts", "book_scripts"):
                sums[name] += getattr(one, name)
            sums["books"] += 1
            sums["not_archived"] += not one.is_archived
            sums["not_kept"] += not one.is_kept
            sums["unread"] += one.is_unread
            sums["losing"] += one.loses
            sums["untold"] += one.loses and not one.is_told
    return kinds


def as_json(counts, code, output):
    """Returns the counts as JSON."""
    books = [{**vars(one), "is_unread": one.is_unread, "loses": one.loses, "is_told": one.is_told} for one in counts]
    return json.dumps({"exit": code, "output": output, "totals": totals(counts), "books": books}, indent=1,
                      ensure_ascii=False)
