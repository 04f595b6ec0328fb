"""Words and references of pages, read with lxml and html5lib."""
import base64
import html.entities
import re
import unicodedata
from collections import Counter
from urllib.parse import unquote, unquote_to_bytes, urlsplit

import html5lib
from lxml import etree

WORD = re.compile(r"\w+")
# Elements within a line: text before and after one may be a single word.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp rt ruby s samp "
    "small span strike strong sub sup time tt tspan u var wbr textpath mi mn mo ms mtext emphasis style".split())
# Elements whose text browsers do not show.
UNSEEN = frozenset("script style template annotation annotation-xml metadata head rp".split())
# Elements whose text names what is shown, or replaces it if it cannot be shown.
NAMING = frozenset("title desc object".split())
LABELS = ("aria-label", "alt", "title", "data-label")
NAMED = {name.rstrip(";"): text for name, text in html.entities.html5.items()
         if name.endswith(";") and name[:-1] not in ("amp", "lt", "gt", "quot", "apos")}
ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
SHOWN = frozenset(["http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"])


def name(element):
    """Returns the local name in lower case, empty for comments and the like."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def attribute(element, wanted):
    """Returns the attribute of a local name in any namespace."""
    value = element.get(wanted)
    if value is None:
        value = next((value for key, value in element.items() if key.rpartition("}")[2].rpartition(":")[2] == wanted),
                     None)
    return value


def decoded(content):
    """Returns text in the encoding of its byte order mark or its XML declaration, else UTF-8 or Windows-1252."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if content.startswith(mark):
            return content[len(mark):].decode(encoding, "replace").lstrip("\ufeff")
    for start, encoding in ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")):
        if content.startswith(start):
            return content.decode(encoding, "replace")
    declared = re.match(rb"\s*<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)", content)
    try:
        return content.decode(declared.group(1).decode() if declared else "utf-8")
    except (LookupError, UnicodeDecodeError):
        return content.decode("windows-1252", "replace")


def xml(content, lenient=False, resolve=True):
    """Parses XML, with the named characters of HTML; `lenient` ignores errors."""
    text = ENTITY.sub(lambda match: NAMED.get(match.group(1), match.group(0)), decoded(content))
    text = re.sub(r"^\s*<\?xml.*?\?>", "", text, count=1, flags=re.S)
    parser = etree.XMLParser(recover=lenient, resolve_entities=resolve, huge_tree=True, no_network=True)
    return etree.fromstring(text.strip().encode("utf-8"), parser)


def page(content):
    """Returns the root of a page, parsed as XML if it is well-formed, otherwise as browsers parse HTML."""
    # External entities stay unresolved.
    for resolve in (True, False):
        try:
            root = xml(content, resolve=resolve)
            if root is not None:
                return root
        except (etree.XMLSyntaxError, ValueError):
            pass
    return markup(decoded(content))


def markup(text):
    """Returns the root of a page of HTML."""
    text = re.sub("[\x00-\x08\x0b\x0e-\x1f]", "", text)
    return html5lib.parse(text, treebuilder="lxml", namespaceHTMLElements=False).getroot()


def quick(text):
    """Returns the root of a valid page of HTML, which libxml2 parses like browsers."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    return etree.fromstring(text.encode("utf-8", "replace"), parser)


def chosen(switch):
    """Returns the part of an `epub:switch` that a browser can show."""
    cases = [child for child in switch if name(child) == "case"]
    return next((case for case in cases if case.get("required-namespace") in SHOWN),
                next((child for child in switch if name(child) == "default"), switch))


def texts(element, unseen=UNSEEN):
    """Yields the text of an element, with spaces at the borders of blocks."""
    tag = name(element)
    if not tag:
        return
    border = "" if tag in INLINE and tag not in unseen else " "
    if tag == "switch":
        element = chosen(element)
    yield border
    if tag not in unseen:
        yield element.text or ""
        for child in element:
            yield from texts(child, unseen)
            yield child.tail or ""
    yield border


def words(element, unseen=UNSEEN):
    """Counts the words of an element."""
    return counted("".join(texts(element, unseen)))


def naming(root):
    """Counts the words that name or replace something: titles of SVG images, contents of objects."""
    total = Counter()
    for element in root.iter():
        if name(element) in NAMING and not any(name(one) in NAMING | {"head"} for one in element.iterancestors()):
            total += words(element)
    return total


def labels(root):
    """Counts the words of labels and of alternative texts."""
    values = (element.get(key) for element in root.iter() if name(element) for key in LABELS)
    return counted(" ".join(value for value in values if value))


def counted(text):
    """Counts words, without soft hyphens and joiners."""
    text = unicodedata.normalize("NFC", re.sub("[\u00ad\u200b-\u200d\u2060\ufeff]", "", text))
    return Counter(WORD.findall(text.casefold()))


def shown(element):
    """Yields the elements that a browser may show."""
    tag = name(element)
    if not tag or tag in ("head", "template", "script", "style"):
        return
    if tag == "switch":
        element = chosen(element)
    yield element
    for child in element:
        yield from shown(child)


def pictures(root):
    """Yields for each image of a page the URLs from which a browser chooses."""
    replaced = set()
    for element in shown(root):
        tag = name(element)
        address, others = None, []
        if element in replaced:
            continue
        if tag == "img":
            address = element.get("src") or first(element.get("srcset"))
            parent = element.getparent()
            if parent is not None and name(parent) == "picture":
                others = [first(one.get("srcset")) for one in parent if name(one) == "source"]
        elif tag == "image":
            address = attribute(element, "href") or element.get("src")
        elif tag == "input" and (element.get("type") or "").lower() == "image":
            address = element.get("src")
        elif tag == "video" and element.get("poster"):
            address = element.get("poster")
        elif tag in ("object", "embed"):
            target = element.get("data") or element.get("src") or ""
            kind = (element.get("type") or "").lower()
            if kind.startswith("image/") or not kind and re.search(r"\.(png|jpe?g|gif|svg|webp)$", target.lower()):
                address = target
                # The images inside replace the object if it cannot be shown.
                inner = [one for one in element.iterdescendants() if name(one) == "img"]
                replaced.update(inner)
                others = [one.get("src") for one in inner]
        found = [one.strip() for one in [address, *others] if one and one.strip() and not one.strip().startswith("#")]
        if found:
            yield found


def first(choices):
    """Returns the first address of a `srcset`."""
    return choices.split(",")[0].split()[0] if choices and choices.strip(" ,") else None


def inline(address):
    """Returns the bytes of a `data:` address."""
    head, _, body = address[5:].partition(",")
    content = unquote_to_bytes(body)
    if not head.endswith(";base64"):
        return content
    try:
        return base64.b64decode(re.sub(rb"\s", b"", content) + b"==")
    except ValueError:
        return b""


def resolved(address, base):
    """Returns the path of an address in the book; `None` if it is elsewhere."""
    parts = urlsplit(address.replace("\\", "/"))
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    steps = [] if path.startswith("/") else base.split("/")[:-1]
    for step in path.split("/"):
        if step == "..":
            steps = steps[:-1]
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)


def kind_of(content):
    """Returns the type of an image that browsers show, by its bytes; `None` for another."""
    for start, kind in ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF8", "gif"), (b"BM", "bmp")):
        if content.startswith(start):
            return kind
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    if content[4:12] in (b"ftypavif", b"ftypavis"):
        return "avif"
    return "svg" if re.search(rb"<(\w+:)?svg[\s>]", content[:4096]) else None
