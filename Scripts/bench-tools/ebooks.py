"""Rows of books that are converted: EPUBs beside calibre's ebook-convert, and one large comic."""
import random
import shutil
import zipfile
from pathlib import Path

from stage import Site, contest, measure, median

COMIC_LIMIT = 60  # megabytes of memory for a comic of any size
TYPES = {"epub": "application/epub+zip", "cbz": "application/vnd.comicbook+zip"}


def conversion(bench):
    """EPUBs of 80,000 words and 20 images, converted alone and archived, beside calibre's ebook-convert to HTMLZ"""
    if not shutil.which("ebook-convert"):
        print("conversion: skipped, calibre's ebook-convert is not installed\n")
        return
    count = 20 if bench.long else 5
    with Site(bench, 1, 0, 0) as site:
        names = [f"book{number}.epub" for number in range(count)]
        for number, name in enumerate(names):
            write_epub(site.work / "www" / name, number)
        write_feed(site, names)

        def calibre():
            folder = site.folder("calibre")
            words = " && ".join(f"ebook-convert {site.work}/www/{name} {folder}/{name}.htmlz" for name in names)
            return measure(["bash", "-c", words])

        figures = contest(bench.runs, {
            "ebook-convert": calibre, "conversion": lambda: converted(bench, site),
            "archiver run": lambda: archived(bench, site)})
    bench.contest_table("conversion", f"{count} EPUBs of 80,000 words", figures, "ebook-convert",
                        ["ebook-convert", "conversion", "archiver run"])


def comic(bench):
    """a comic of 300 MB, archived as pages"""
    with Site(bench, 1, 0, 0) as site:
        write_comic(site.work / "www/comic.cbz", 150, 2_000_000)
        write_feed(site, ["comic.cbz"])
        figures = contest(bench.runs, {"archiver": lambda: archived(bench, site)})
    peak = max(one["megabytes"] for one in figures["archiver"])
    if peak > COMIC_LIMIT:
        bench.failures.append(f"a comic of 300 MB took {peak:.0f} MB, {COMIC_LIMIT} are allowed")
    bench.table("comic", f"a comic of 150 pages and 300 MB; medians of {bench.runs} runs", ["wall", "CPU", "peak memory"],
                [[f"{median(figures['archiver'], 'wall'):.2f} s", f"{median(figures['archiver'], 'cpu'):.2f} s",
                  f"{median(figures['archiver'], 'megabytes'):.0f} MB"]], figures)


def converted(bench, site):
    """Converts the books to pages in folders, one process per book, like ebook-convert."""
    folder = site.folder("pages")
    figures = measure(["bash", "-c", " && ".join(
        f"{bench.tools}/archiver-bench-stages book {site.work}/www/{name} {folder}/{name}" for name in site.books)])
    pages = len(list(folder.glob("*/text/[0-9]*.html")))
    if pages != 40 * len(site.books):
        raise SystemExit(f"bench: {pages} pages of {40 * len(site.books)} were written")
    return figures


def archived(bench, site):
    """Archives the books of the site's feed into a new archive; exits if one was not converted to pages."""
    archive = site.folder("archive")
    environment = site.environment() | {"BOOKS_URL": f"http://127.0.0.1:{site.near}/books.xml"}
    figures = measure([bench.program, "run", "--source", "books", "--quiet", "--archive", archive], environment)
    books, wanted = len(list(archive.glob("books/*/book/text/0001.html"))), len(site.books)
    if books != wanted:
        raise SystemExit(f"bench: {books} books of {wanted} became pages")
    return figures


def write_feed(site, names):
    site.books = names
    entries = "".join(
        f'<entry><id>urn:{name}</id><title>{name}</title><updated>2024-01-01T00:00:00Z</updated>'
        f'<link rel="http://opds-spec.org/acquisition" type="{TYPES[name.split(".")[-1]]}" href="/{name}"/></entry>'
        for name in names)
    (site.work / "www/books.xml").write_text(
        '<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:books</id><title>Books</title>'
        f"<updated>2024-01-01T00:00:00Z</updated>{entries}</feed>")


def write_epub(path, seed, chapters=40, words=2_000, images=20):
    """Writes an EPUB with chapters of synthetic words in paragraphs, a style sheet and images of 100 kB."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choices("aeioubdfgklmnprst", k=chance.randint(2, 9))) for _ in range(20_000)]
    items, order = [], []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", TYPES["epub"], zipfile.ZIP_STORED)
        book.writestr("META-INF/container.xml",
                      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
                      '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
        book.writestr("style.css", "body { margin: 5%; } p { text-indent: 1.5em; margin: 0; } h1 { text-align: center; }")
        items.append('<item id="css" href="style.css" media-type="text/css"/>')
        for number in range(images):
            book.writestr(f"{number}.jpg", jpeg(chance, 100_000), zipfile.ZIP_STORED)
            items.append(f'<item id="i{number}" href="{number}.jpg" media-type="image/jpeg"/>')
        for number in range(chapters):
            paragraphs = "".join(f"<p>{' '.join(chance.choices(vocabulary, k=100))}.</p>" for _ in range(words // 100))
            image = f'<p><img src="{number}.jpg" alt="an image"/></p>' if number < images else ""
            book.writestr(f"c{number}.xhtml",
                          '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Chapter</title>'
                          '<link rel="stylesheet" href="style.css"/></head>'
                          f"<body><h1>Chapter {number + 1}</h1>{image}{paragraphs}</body></html>")
            items.append(f'<item id="c{number}" href="c{number}.xhtml" media-type="application/xhtml+xml"/>')
            order.append(f'<itemref idref="c{number}"/>')
        book.writestr("book.opf",
                      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u"><metadata '
                      f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="u">urn:{seed}</dc:identifier>'
                      f"<dc:title>Book {seed}</dc:title><dc:language>en</dc:language></metadata>"
                      f"<manifest>{''.join(items)}</manifest><spine>{''.join(order)}</spine></package>")


def write_comic(path, pages, size):
    chance = random.Random(1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as comic:
        for number in range(pages):
            comic.writestr(f"{number:03}.jpg", jpeg(chance, size))


def jpeg(chance, size):
    """Returns a JPEG with a header for 800 by 1200 pixels and random data."""
    frame = b"\xff\xd8\xff\xc0\x00\x11\x08\x04\xb0\x03\x20\x03\x01\x11\x00\x02\x11\x01\x03\x11\x01\xff\xda"
    return frame + chance.randbytes(size).replace(b"\xff", b"\xfe") + b"\xff\xd9"
