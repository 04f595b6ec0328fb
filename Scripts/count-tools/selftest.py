"""Sees the counter fail: takes a word, an image, a file and a page away, and adds a script, in an archive of its own book."""
import struct
import tempfile
import zlib
from pathlib import Path

import bundles
import counting
import serving
import sources


def png(shade):
    """Returns an image of one grey pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes((0, shade)))) + chunk(b"IEND", b""))


def replace(old, new):
    """Returns a change of a bundle's first page."""
    def change(folder):
        page = folder / "book/text/0001.html"
        text = page.read_text()
        if old not in text:
            raise SystemExit(f"count-loss: the page of the self-test has no {old}")
        page.write_text(text.replace(old, new, 1))
    return change


def empty(folder):
    next(folder.glob("book/assets/*.png")).write_bytes(b"")


def remove_file(folder):
    next(folder.glob("assets/*.epub")).unlink()


def remove_pages(folder):
    for page in folder.glob("book/text/*.html"):
        page.unlink()


# A change, and the counts that report it.
CASES = [
    ("nothing", lambda folder: None, {}),
    ("a word", replace("unmistakable", ""), {"lost_words": 1}),
    ("one of two equal words", replace("twice", ""), {"lost_words": 1}),
    ("an image's reference", replace("<img", "<b"), {"lost_pictures": 1, "lost_displayable": 1}),
    ("an image's bytes", empty, {"lost_pictures": 1, "lost_displayable": 1}),
    ("the file", remove_file, {"is_kept": False}),
    ("all pages", remove_pages, {"is_unread": True}),
    ("a script", replace("</article>", "<script>alert()</script></article>"), {"foreign_scripts": 1}),
    ("a handler", replace("<article", '<article onclick="alert()"'), {"foreign_scripts": 1}),
]


def run(program):
    """Returns 0 if the counter finds each change, and nothing where there is none."""
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        book = Path(temporary, "book.epub")
        counting.write_epub(
            book, ['<p>An unmistakable text, twice twice.</p><p><img src="a.png" alt=""/></p>'
                   "<script>alert()</script>",
                   '<p>A second page.</p><p><object data="b.png" type="image/png"><img src="a.png" alt=""/></object>'
                   "</p>"], [("a.png", png(90)), ("b.png", png(30))])
        for number, (name, change, wanted) in enumerate(CASES):
            archive = Path(temporary, f"archive{number}")
            counting.archive(program, [counting.control(temporary), book], archive)
            folders = bundles.folders(archive)
            own = set(bundles.Bundle(folders[serving.identifier(0)]).scripts)
            folder = folders[serving.identifier(1)]
            change(folder)
            found = counting.compare(book, sources.read(book), bundles.Bundle(folder), own)
            wanted = {"lost_words": 0, "lost_pictures": 0, "is_kept": True, "is_unread": False,
                      "foreign_scripts": 0, "loses": bool(set(wanted) - {"foreign_scripts"}), **wanted}
            if name == "all pages":
                wanted |= {"lost_words": found.words, "lost_pictures": found.pictures}
            wrong = {key: getattr(found, key) for key, value in wanted.items() if getattr(found, key) != value}
            failures += bool(wrong)
            print(f"{'FAIL' if wrong else 'ok  '}  without {name}: {wrong or 'as expected'}")
    return int(failures > 0)
