"""An OPDS 1.2 catalog: a feed of all books in pages, their files and covers."""
import base64
import copy
import io
import re
import zipfile
from xml.sax.saxutils import escape

from clock import rfc3339
from pictures import digest, png, removed
from server import Answer

ATOM = 'xmlns="http://www.w3.org/2005/Atom" xmlns:opds="http://opds-spec.org/2010/catalog"'
PAGE = 50


class Book:
    def __init__(self, key, number, moment):
        self.id, self.number = key, number
        self.text_version = 1
        self.labels = []
        # The bytes of each image by name; `None` is answered with 404.
        self.pictures = {"cover.png": png(f"{key}/cover/1")} if number % 3 else {}
        self.touch(moment)

    def touch(self, moment):
        self.updated = moment
        self.announced = {digest(content) for content in self.pictures.values()
                          if content and content != removed()}

    @property
    def token(self):
        return f"zq{self.id.removeprefix('urn:book:')}v{self.text_version}x"

    def epub(self):
        text = "".join(f"<p>Sentence {index} of book {self.number} says {self.token}.</p>" for index in range(12))
        opf = (f'<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
               f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">{self.id}'
               f'</dc:identifier><dc:title>Book {self.number}</dc:title><dc:language>en</dc:language></metadata>'
               f'<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
               f'<spine><itemref idref="c"/></spine></package>')
        return pack([
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml",
             '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
             '<rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'),
            ("c.opf", opf),
            ("c.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head>'
                        f'<body>{text}</body></html>')])

    def file(self):
        """Returns the extension, the media type and the bytes of the book's file."""
        match self.number % 5:
            case 3:
                return "pdf", "application/pdf", pdf(f"{self.token}")
            case 4:
                return "cbz", "application/vnd.comicbook+zip", pack(
                    [(f"{page}.png", png(f"{self.token}/{page}")) for page in range(3)])
        return "epub", "application/epub+zip", self.epub()


class Catalog:
    KIND = "books"
    FILES = ("/get/", "/cover/")
    def __init__(self):
        self.books = {}
        self.count = 0
        self.has_new_fields = False
        self.backups = []

    listing_requests = staticmethod(len)

    @staticmethod
    def quiet_requests(items):
        """Maximum requests of most nights without changes: a login, the root, the pages of its feed, and one for each
        book whose turn it is, which is one of 14 on average."""
        return 5 + (items + PAGE - 1) // PAGE + 2 * items // 14

    @classmethod
    def whole_requests(cls, items):
        """Maximum requests of any night without changes: turns are given by a hash, not evenly."""
        return cls.quiet_requests(items) + 3 + items // 14

    def settings(self, address):
        return {"BOOKS_URL": f"{address}/opds", "BOOKS_USER": "reader", "BOOKS_PASSWORD": "year"}

    # The actions of the user.

    def add(self, moment, stamp=None):
        self.count += 1
        key = f"urn:book:b{self.count:05d}"
        self.books[key] = Book(key, self.count, stamp or moment)
        return key

    def rewrite(self, key, moment):
        self.books[key].text_version += 1
        self.books[key].touch(moment)

    def label(self, key, moment):
        self.books[key].labels.append(f"label {len(self.books[key].labels)}")
        self.books[key].touch(moment)

    highlight = label

    def delete(self, key, moment):
        del self.books[key]

    def repaint(self, key, moment, tells):
        book = self.books[key]
        book.pictures = {name: png(f"{key}/{name}/{moment}") for name in book.pictures}
        if tells:
            book.touch(moment)

    def remove_pictures(self, key):
        self.books[key].pictures = {name: removed() for name in self.books[key].pictures}

    def add_without_pictures(self, moment):
        key = self.add(moment)
        self.books[key].pictures = {"cover.png": None}
        self.books[key].touch(moment)
        return key

    def deliver_pictures(self, key):
        if key in self.books:
            book = self.books[key]
            book.pictures = {name: png(f"{key}/{name}/late") for name in book.pictures}
            book.touch(book.updated)

    def with_pictures(self):
        return [key for key, book in self.books.items() if book.announced]

    def upgrade(self):
        self.has_new_fields = True

    def back_up(self):
        self.backups.append(copy.deepcopy(self.books))

    def restore(self, age):
        self.books = copy.deepcopy(self.backups[-age])

    # The model's view: a book's file is among the images, by its digest.

    def wanted(self):
        return {key: (set(), {digest(book.file()[2])} | book.announced & {
            digest(content) for content in book.pictures.values() if content})
            for key, book in self.books.items()}

    def lacks_files(self):
        return any(content is None for book in self.books.values() for content in book.pictures.values())

    # Responses.

    def answer(self, server, method, path, headers, body):
        login = "Basic " + base64.b64encode(b"reader:year").decode()
        if headers.get("Authorization") != login or server.faults.refuses_login:
            return Answer(b"", "text/plain", 401, [("WWW-Authenticate", 'Basic realm="books"')])
        if path == "/opds":
            return self.feed("Catalog", "navigation", server, [
                f'<entry><title>All books</title><id>urn:all</id><updated>2028-01-01T00:00:00Z</updated>'
                f'<link href="/opds/all?page=1" type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>'
                f'</entry>'])
        if match := re.fullmatch(r"/opds/all\?page=(\d+)", path):
            return self.page(int(match[1]), server)
        if match := re.fullmatch(r"/(get|cover)/([^/]+)/([^/]+)", path):
            return self.deliver(match[1], "urn:book:" + match[2], match[3], headers)
        return Answer(b"not found", "text/plain", 404)

    def feed(self, title, kind, server, entries, links=""):
        text = (f'<?xml version="1.0" encoding="UTF-8"?><feed {ATOM}><id>urn:feed:{title}</id><title>{title}</title>'
                f'<updated>{rfc3339(server.now())}</updated>{links}{"".join(entries)}</feed>')
        return Answer(text, f"application/atom+xml;profile=opds-catalog;kind={kind}")

    def page(self, number, server):
        newest = sorted(self.books.values(), key=lambda book: -book.number)
        shown = newest[(number - 1) * PAGE:number * PAGE]
        links = f'<link rel="next" href="/opds/all?page={number + 1}" type="application/atom+xml"/>' \
            if number * PAGE < len(newest) else ""
        return self.feed("All", "acquisition", server, [self.entry(book) for book in shown], links)

    def entry(self, book):
        ending, kind, content = book.file()
        name = book.id.removeprefix("urn:book:")
        covers = "".join(f'<link rel="http://opds-spec.org/image" type="image/png" href="/cover/{name}/{cover}"/>'
                         for cover in book.pictures)
        labels = "".join(f'<category term="{escape(label)}" label="{escape(label)}"/>' for label in book.labels)
        extra = '<added-by-upgrade xmlns="urn:new">1</added-by-upgrade>' if self.has_new_fields else ""
        return (f'<entry><title>Book {book.number}</title><id>{book.id}</id><updated>{rfc3339(book.updated)}</updated>'
                f'<author><name>A. Writer</name></author>{labels}{covers}{extra}<link '
                f'rel="http://opds-spec.org/acquisition" type="{kind}" length="{len(content)}" '
                f'href="/get/{name}/book.{ending}"/></entry>')

    def deliver(self, what, key, name, headers):
        book = self.books.get(key)
        content = None
        if book:
            content = book.file()[2] if what == "get" else book.pictures.get(name)
        if content is None:
            return Answer(b"not found", "text/plain", 404)
        tag = f'"{digest(content)[:16]}"'
        if headers.get("If-None-Match") == tag:
            return Answer(b"", "image/png", 304, [("ETag", tag)])
        kind = "image/png" if what == "cover" else book.file()[1]
        return Answer(content, kind, 200, [("ETag", tag)])


def pack(files):
    """Returns a reproducible ZIP archive of stored files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def pdf(text):
    """Returns a PDF of one page with the text."""
    stream = f"BT /F1 24 Tf 50 700 Td ({text}) Tj ET"
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
               f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
               "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    out, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj{content}endobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return (f"{out}xref\n0 6\n0000000000 65535 f \n{table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n"
            f"{len(out)}\n%%EOF\n").encode()
