"""The content of the archive, read from its bundles without the program."""
import json
import os
import re
import sqlite3

WORD = re.compile(rb"zq[a-z0-9]+x")


class State:
    """The words and images of one state of an item."""

    def __init__(self, folder):
        self.words, self.pictures, self.id, self.source = set(), set(), None, None
        for name in ("index.html", "chapters"):
            self._read(os.path.join(folder, name))
        try:
            with open(os.path.join(folder, "item.json"), "rb") as file:
                record = json.load(file)
        except (OSError, ValueError):
            return
        self.id, self.source = record.get("id"), record.get("source")
        for asset in record.get("assets", []):
            if os.path.exists(os.path.join(folder, asset["path"])):
                self.pictures.add(asset["sha256"])

    def _read(self, path):
        if os.path.isdir(path):
            for name in os.listdir(path):
                self._read(os.path.join(path, name))
        elif os.path.exists(path):
            with open(path, "rb") as file:
                self.words |= {word.decode() for word in WORD.findall(file.read())}


class Bundle:
    def __init__(self, folder):
        self.folder = folder
        self.current = State(folder)
        versions = os.path.join(folder, "versions")
        names = sorted(os.listdir(versions)) if os.path.isdir(versions) else []
        # The versions, oldest first.
        self.versions = [State(os.path.join(versions, name)) for name in names]

    @property
    def everything(self):
        states = [self.current, *self.versions]
        return (set().union(*(state.words for state in states)),
                set().union(*(state.pictures for state in states)))


def bundles(root, source):
    """Returns the bundles of a source by the item's id."""
    folder = os.path.join(root, source)
    if not os.path.isdir(folder):
        return {}
    found = [Bundle(entry.path) for entry in os.scandir(folder)
             if entry.is_dir() and not entry.name.startswith(".")]
    return {bundle.current.id: bundle for bundle in found if bundle.current.id}


def catalog_size(root):
    """Returns the number of used bytes of the catalog."""
    names = [name for name in os.listdir(os.path.join(root, ".archiver")) if name.endswith((".sqlite", ".db"))]
    total = 0
    for name in names:
        with sqlite3.connect(f"file:{root}/.archiver/{name}?mode=ro", uri=True) as database:
            pages, = database.execute("PRAGMA page_count").fetchone()
            free, = database.execute("PRAGMA freelist_count").fetchone()
            size, = database.execute("PRAGMA page_size").fetchone()
            total += (pages - free) * size
    return total


def pool(root):
    """Returns the bytes of the object pool, and of its objects to which no bundle and no version refers."""
    named = set()
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != ".archiver"]
        if "SHA256SUMS" in files:
            with open(os.path.join(folder, "SHA256SUMS")) as file:
                named |= {line[:64] for line in file}
    total = orphans = 0
    for folder, _, files in os.walk(os.path.join(root, ".archiver", "objects")):
        for name in files:
            size = os.lstat(os.path.join(folder, name)).st_size
            digest = os.path.basename(folder) + name
            total += size
            orphans += size if not {name[:64], digest[:64]} & named else 0
    return total, orphans
