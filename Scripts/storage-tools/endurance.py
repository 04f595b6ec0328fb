"""A published site of many files that changes before each of many publications, most of which are killed.

The files are made here, not by runs of archiver, so that each publication has some hundred changes: pages that link
to each other in circles, images named by their content, lists, shards of the search index.
"""
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import boto3
import botocore.client

import searchindex


def fingerprint(text, length):
    return hashlib.sha256(text.encode()).hexdigest()[:length]


class Site:
    """The files of an archive at `root`: about `count` of them, four per item."""

    perList = 100

    def __init__(self, root, count):
        self.root, self.next, self.turn = root, 0, 0
        self.items, self.shards = {}, []
        for _ in range(count // 4):
            self.add()
        for number in self.items:
            self.items[number]["links"] = set(random.sample(sorted(self.items), 4)) - {number}
        self.shards = [self.shard() for _ in range(300)]
        self.writePages(self.items)
        self.writeLists(range(0, self.next // self.perList + 1))
        self.finish()

    def write(self, path, text):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_name(".draft")
        draft.write_text(text)
        draft.rename(place)

    def asset(self, number):
        text = f"image of {number}, {random.random()}"
        name = fingerprint(text, 16) + ".txt"
        self.write(f"site/item-{number}/assets/{name}", text)
        return name

    def shard(self):
        name = fingerprint(str(random.random()), 9)
        self.write(f"library/search/{name}.js", f'archiverSearch.shard("{name}","");\n')
        return name

    def add(self):
        number, self.next = self.next, self.next + 1
        self.items[number] = {"assets": [self.asset(number) for _ in range(3)], "links": set()}
        return number

    def writePages(self, numbers):
        for number in numbers:
            item = self.items[number]
            links = [f"../item-{one}/index.html" for one in sorted(item["links"])]
            links += [f"assets/{name}" for name in item["assets"]]
            links.append(f"../../library/part-{number // self.perList}.html")
            text = "".join(f'<a href="{link}">{link}</a>\n' for link in links)
            self.write(f"site/item-{number}/index.html", f"<p>{self.turn}</p>\n{text}")

    def writeLists(self, parts):
        for part in parts:
            numbers = [one for one in range(part * self.perList, (part + 1) * self.perList) if one in self.items]
            links = "".join(f'<a href="../site/item-{one}/index.html">{one}</a>\n' for one in numbers)
            self.write(f"library/part-{part}.html", links)

    def finish(self):
        rows = [["all", 1, [], " ".join(self.shards), "".join(self.shards)]]
        arguments = ",".join(json.dumps(one) for one in (rows, [], ["", ""], []))
        self.write("library/search/index.js", f"archiverSearch.index({arguments});\n")
        self.write("library/status.js", f"var archiverStatus = {self.turn};\n")
        parts = range(0, (self.next - 1) // self.perList + 1)
        links = "".join(f'<a href="library/part-{part}.html">{part}</a>\n' for part in parts)
        self.write("index.html", f"<p>{self.turn}</p>\n{links}")

    def change(self):
        """Changes 30 items, adds 6, removes 4, and replaces 8 shards."""
        self.turn += 1
        pages = set(random.sample(sorted(self.items), 30))
        for number in pages:
            item = self.items[number]
            old = item["assets"].pop(0)
            (self.root / f"site/item-{number}/assets/{old}").unlink()
            item["assets"].append(self.asset(number))
            if item["links"]:
                item["links"].discard(random.choice(sorted(item["links"])))
        new = [self.add() for _ in range(6)]
        for number in new:
            self.items[number]["links"] = set(new) - {number}
            for other in random.sample(sorted(self.items), 2):
                self.items[other]["links"].add(number)
                pages.add(other)
        gone = set(random.sample(sorted(self.items.keys() - set(new)), 4))
        for number in gone:
            item = self.items.pop(number)
            for name in item["assets"]:
                (self.root / f"site/item-{number}/assets/{name}").unlink()
            (self.root / f"site/item-{number}/index.html").unlink()
        for number, item in self.items.items():
            if item["links"] & gone:
                item["links"] -= gone
                pages.add(number)
        pages = (pages | set(new)) - gone
        self.writePages(pages)
        self.writeLists({number // self.perList for number in gone | set(new)})
        for _ in range(8):
            place = random.randrange(len(self.shards))
            (self.root / f"library/search/{self.shards[place]}.js").unlink()
            self.shards[place] = self.shard()
        self.finish()


class Requests(threading.Thread):
    """Counts the requests that rclone logs with -vv, by kind."""

    def __init__(self, log):
        super().__init__(daemon=True)
        self.log, self.kinds = log, {}

    def run(self):
        for line in self.log:
            found = re.search(r"serve s3: ([A-Z][A-Za-z ]+):? ", line)
            if found:
                kind = found[1].strip().lower()
                if kind == "listed":
                    # The answer to a list, which has a line of its own.
                    continue
                self.kinds[kind] = self.kinds.get(kind, 0) + 1


def follower_of(base, targets):
    """A kind of visitor that follows all links of each page that it sees."""

    class Follower(base):
        stale = 0

        def check(self, key, link, names):
            """Records a link without a target that its page still has."""
            self.links += 1
            for _ in range(3):
                if self.get(link) is not None:
                    return
                body = self.get(key)
                if body is None or link not in names(body):
                    self.stale += 1
                    return
            self.broken.append(f"{key} -> {link}")

        def visit(self):
            key = "index.html"
            for _ in range(8):
                body = self.get(key)
                if body is None or self.isOver:
                    return
                self.pages += 1
                names = lambda body, key=key: set(targets(key, body.decode("utf-8", "replace")))
                links = names(body)
                for link in sorted(links):
                    self.check(key, link, names)
                pages = sorted(one for one in links if one.endswith(".html"))
                if not pages:
                    return
                key = random.choice(pages)

        def search(self):
            key = "library/search/index.js"
            body = self.get(key)
            if body is None:
                return
            self.pages += 1

            for shard in sorted(searchindex.files(body)):
                self.shards += 1
                self.check(key, shard, searchindex.files)

    return Follower


def endure(test, kills, count):
    """Publishes a large archive that changes before each publication; most publications are killed.

    `test` is the module of Scripts/test-storage.
    """
    work = pathlib.Path(tempfile.mkdtemp(prefix="archiver-endurance."))
    archive, port, failed = work / "archive", test.free_port(), []
    (work / "buckets").mkdir()
    rclone = [str(test.venv / "bin/rclone"), "serve", "s3", "-vv", "--config", "/dev/null", "--addr",
              f"127.0.0.1:{port}", "--auth-key", f"{test.KEY},{test.SECRET}", str(work / "buckets")]
    demo = [str(test.root / ".build/debug/archiver-demo-server"), "--token", "demo"]
    endpoint = f"http://127.0.0.1:{port}"
    with test.program(rclone, port, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as server:
        requests = Requests(server.stderr)
        requests.start()
        with test.program(demo, stdout=subprocess.PIPE, text=True) as source:
            environment = dict(
                PATH=os.environ["PATH"], HOME=str(work), READECK_TOKEN="demo", ARCHIVER_ARCHIVE=str(archive),
                READECK_URL=source.stdout.readline().split("=", 1)[1].split()[0],
                ARCHIVER_PUBLISH_ACCESS_KEY=test.KEY, ARCHIVER_PUBLISH_SECRET_KEY=test.SECRET,
                ARCHIVER_PUBLISH_ENDPOINT=endpoint)
            subprocess.run([test.archiver, "run", "--source", "readeck", "--max", "1", "--quiet"], env=environment)
        site = Site(archive, count)
        bucket = boto3.client(
            "s3", endpoint_url=endpoint, aws_access_key_id=test.KEY, aws_secret_access_key=test.SECRET,
            region_name="us-east-1",
            config=botocore.client.Config(s3={"addressing_style": "path"}, retries={"max_attempts": 2}))
        bucket.create_bucket(Bucket=test.BUCKET)
        words = [test.archiver, "publish", f"s3://{test.BUCKET}/{test.PREFIX}", "--json"]
        began, killed, ended, whole, span = time.monotonic(), 0, 0, 0, 4.0
        follower = follower_of(test.Visitor, test.targets)(bucket)
        follower.start()
        while killed < kills and not failed and follower.is_alive():
            if (killed + ended) % 20 == 0:
                start = time.monotonic()
                result = subprocess.run(words, env=environment, capture_output=True, text=True)
                if result.returncode != 0:
                    failed.append(f"publish: {result.returncode} {result.stderr}")
                whole += 1
                if whole > 1:
                    span = max(0.3, min(span, (time.monotonic() - start) * 1.1))
                if whole % 5 == 1:
                    test.say(f"{killed} kills, {whole} whole, {follower.links} links, {len(follower.broken)} broken, "
                        f"{time.monotonic() - began:.0f} s: {result.stdout.strip()}")
            site.change()
            process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(random.uniform(0, span))
            died = process.poll() is None
            killed, ended = killed + died, ended + (not died)
            process.send_signal(signal.SIGKILL)
            process.wait()
        for _ in range(2):
            result = subprocess.run(words, env=environment, capture_output=True, text=True)
            if result.returncode != 0:
                failed.append(f"the last publication: {result.returncode} {result.stderr}")
        failed += follower.end()
        wanted, found = test.files(archive), test.objects(bucket)
        waiting = {key for key in found.keys() - wanted.keys() if key.startswith("library/")}
        failed += [f"{key}: not as in the archive" for key in sorted((wanted.keys() | found.keys()) - waiting)
                   if wanted.get(key) != found.get(key)]
    test.say(f"endurance: {len(wanted)} files, {killed} kills, {ended + whole} publications that ended, visitor: "
        f"{follower.pages} pages, {follower.links} links, {follower.stale} of pages replaced meanwhile, "
        f"{len(follower.broken)} broken; {time.monotonic() - began:.0f} s; requests: {requests.kinds}")
    shutil.rmtree(work)
    for line in failed[:40]:
        test.say(f"endurance: {line}")
    return not failed
