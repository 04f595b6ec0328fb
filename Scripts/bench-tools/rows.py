"""The rows of Scripts/bench: measurements and reports."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import profiler
from ebooks import comic, conversion
from stage import (
    RESULTS, Site, contest, machine, measure, median, memory_at_hand, prepare, ratios, run, sys_exit)
from versions import versions

COUNTS = RESULTS / "stage-counts.json"
MEMORY_LIMIT = 75  # megabytes, however many articles there are


def first(bench):
    """200 articles with 14 images of 101 kB, 32 at a time, no latency"""
    with Site(bench, 200, 14, 101_000) as site:
        bench.race("first", site, site.near)


def warm(bench):
    """the first row with memory at hand, which a host takes back from a virtual machine that has it free"""
    with Site(bench, 200, 14, 101_000) as site, memory_at_hand(1_000, site.folders):
        bench.race("warm", site, site.near)


def latency(bench):
    """the same with 30 ms per request"""
    with Site(bench, 200, 14, 101_000) as site:
        bench.race("latency", site, site.far)


def profile(bench):
    """where the processor's time of the first row goes, by kind of work, beside curl's"""
    with Site(bench, 200, 14, 101_000) as site:
        profiler.profile(bench, {
            "archiver": lambda under: site.archiver(site.folder("archive"), "--jobs", "32", under=under),
            "curl": lambda under: site.curl(under=under)})


def memory(bench):
    """peak memory with ten times the articles"""
    counts = [200, 2_000]
    size = 101_000 if bench.long else 10_000
    with ExitStack() as stack:
        sites = {count: stack.enter_context(Site(bench, count, 14, size)) for count in counts}
        figures = contest(bench.runs, {
            count: partial(lambda site: site.archiver(site.folder("archive"), "--jobs", "32"), site)
            for count, site in sites.items()})
        spread = ratios(figures, counts[1], counts[0], "megabytes")
    bench.table("memory", f"images of {size} bytes; medians of {bench.runs} runs in turn",
                ["articles", "peak memory"],
                [[f"{count:,}", f"{median(figures[count], 'megabytes'):.0f} MB"] for count in counts]
                + [["ratio", f"{statistics.median(spread):.2f} ({spread[0]:.2f}–{spread[-1]:.2f})"]], figures)


def growth(bench):
    """small articles: 1,000, 10,000 and with --long 100,000, in turn; nothing new; 20 more"""
    counts = [1_000, 10_000] + ([100_000] if bench.long else [])
    with ExitStack() as stack:
        sites = {count: stack.enter_context(Site(bench, count, 0, 0)) for count in counts}
        figures = contest(bench.runs, {count: partial(archived, sites[count], count) for count in counts})
        lines = []
        for count, site in sites.items():
            whole = {key: median(figures[count], key) for key in figures[count][0]}
            times = [ratio * counts[0] / count for ratio in ratios(figures, count, counts[0], "wall")]
            lines.append([f"{count:,}", f"{whole['wall']:.1f} s", f"{whole['wall'] / count * 1000:.2f} ms",
                          f"{statistics.median(times):.2f} ({times[0]:.2f}–{times[-1]:.2f})",
                          f"{whole['cpu'] / count * 1000:.2f} ms", f"{whole['megabytes']:.0f} MB"]
                         + later_runs(bench, site, f"{count:,} articles", whole["megabytes"]))
    bench.table("growth", f"articles without images; medians of {bench.runs} runs in turn",
                ["articles", "first run", "per article", "÷ of 1,000", "CPU per article", "peak memory",
                 "of `archiver site`", "of 20 more", "nothing new", "its requests", "it wrote outside .archiver"],
                lines, figures)


def archived(site, count):
    """Archives all articles of a site into a new folder. Each finds memory at hand, as what
    1,000 articles write fits what is there anyway."""
    with memory_at_hand(200 + count // 20):
        return site.archiver(site.folder("archive"))


def later_runs(bench, site, shown, first_peak):
    """The cells of the runs after the first, over the last archive of a site."""
    archive = site.folders[-1]
    site.api_requests()
    marks = snapshot(archive)
    again = min((site.archiver(archive) for _ in range(bench.runs)), key=lambda one: one["wall"])
    requests = site.api_requests() // bench.runs
    written = sorted(name for name, mark in snapshot(archive).items()
                     if marks.get(name) != mark and not name.startswith(".archiver/"))
    rebuilt = measure([bench.program, "site", "--archive", archive], site.environment())
    site.add(20)
    more = site.archiver(archive)
    peak = max(first_peak, rebuilt["megabytes"], more["megabytes"])
    if peak > MEMORY_LIMIT:
        bench.failures.append(f"{shown} took {peak:.0f} MB, {MEMORY_LIMIT} are allowed")
    return [f"{rebuilt['megabytes']:.0f} MB", f"{more['megabytes']:.0f} MB", f"{again['wall']:.2f} s", requests,
            ", ".join(written) or "nothing"]


def disk(bench):
    """articles without images, on a disk that takes 300 ms longer for each flush"""
    slow = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null",
            "-e", "trace=syncfs", "-e", "inject=syncfs:delay_enter=300ms"]
    lines = []
    for count in (2_000, 20_000):
        with Site(bench, count, 0, 0) as site:
            for shown, under in (("none", ()), ("300 ms", slow)):
                one = site.archiver(site.folder("archive"), under=under)
                lines.append([f"{count:,}", shown, f"{one['wall']:.1f} s", f"{one['wall'] / count * 1000:.2f} ms",
                              f"{one['megabytes']:.0f} MB"])
                if one["megabytes"] > MEMORY_LIMIT:
                    bench.failures.append(f"{count:,} articles on a slow disk took {one['megabytes']:.0f} MB, "
                                          f"{MEMORY_LIMIT} are allowed")
    bench.table("disk", "articles without images, on a disk with a high flush latency",
                ["articles", "more for a flush", "first run", "per article", "peak memory"], lines)


def increment(bench):
    """20 new articles with 14 images in an archive of 10,000 and in an empty one"""
    with Site(bench, 10_000, 0, 101_000) as site, Site(bench, 20, 14, 101_000) as small:
        grown = site.folder("archive")
        site.archiver(grown)
        copies = [site.folder("grown") for _ in range(bench.runs + 1)]
        for copy in copies:
            run("cp", "-a", f"{grown}/.", copy)
        site.add(20)
        with memory_at_hand(300):
            figures = contest(bench.runs, {
                "empty": lambda: small.archiver(small.folder("empty"), "--max", "20"),
                "grown": lambda: site.archiver(remembered(copies.pop()), "--max", "20"),
            })
    bench.contest_table("increment", "20 new articles", figures, "empty", ["empty", "grown"])


def remembered(archive):
    """Returns an archive after reading what a run reads of it first, and listing its library, so that
    both are in memory: some machines forget files within half a minute, and the row is of the work."""
    for folder in (archive / ".archiver", archive / ".archiver/library"):
        for path in folder.iterdir():
            if path.is_file():
                path.read_bytes()
    for _ in os.walk(archive / "library"):
        pass
    return archive


def book(bench):
    """one large PDF from an OPDS feed against curl and sha256sum in parallel"""
    size = (2 << 30) if bench.long else (256 << 20)
    with Site(bench, 1, 0, 0) as site:
        file = site.work / "www/book.pdf"
        write_pdf(file, size)
        (site.work / "www/opds.xml").write_text(FEED)

        def archiver():
            environment = site.environment() | {"BOOKS_URL": f"http://127.0.0.1:{site.near}/opds.xml"}
            with passing(site, "archive") as archive:
                return measure([bench.program, "run", "--source", "books", "--quiet", "--archive", archive], environment)

        def curl():
            with passing(site, "curl") as folder:
                return measure(["bash", "-c", f"curl -fsS http://127.0.0.1:{site.near}/book.pdf"
                                f" | tee {folder}/book.pdf | sha256sum"])

        figures = contest(bench.runs, {"curl and sha256sum": curl, "archiver": archiver})
    bench.contest_table("book", f"one book of {size >> 20} MiB", figures, "curl and sha256sum",
                        ["curl and sha256sum", "archiver"])


@contextmanager
def passing(site, name):
    """Creates a temporary folder for a site with few but very large files."""
    folder = site.folder(name)
    yield folder
    shutil.rmtree(folder)


def write_pdf(path, size):
    """A PDF of one empty page with an unused black image of `size` bytes, a multiple of 4,096, as a sparse region."""
    places = []
    with open(path, "wb") as out:
        out.write(b"%PDF-1.4\n")
        for number, text in enumerate(("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
                                       "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</I 4 0 R>>>>>>"), 1):
            places.append(out.tell())
            out.write(f"{number} 0 obj{text}endobj\n".encode())
        places.append(out.tell())
        out.write(f"4 0 obj<</Type/XObject/Subtype/Image/Width 4096/Height {size // 4096}/ColorSpace/DeviceGray"
                  f"/BitsPerComponent 8/Length {size}>>stream\n".encode())
        out.seek(size, os.SEEK_CUR)
        out.write(b"\nendstream endobj\n")
        table = out.tell()
        out.write(b"xref\n0 5\n0000000000 65535 f \n")
        out.write("".join(f"{place:010} 00000 n \n" for place in places).encode())
        out.write(f"trailer<</Size 5/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n".encode())


def search(bench):
    """archiver search over 10,000 articles of 1,000 words"""
    binary = bench.program
    with Site(bench, 10_000, 0, 0, words=1_000) as site:
        archive = site.folder("archive")
        site.archiver(archive)
        lines = []
        for title, query in QUERIES:
            times, found = [], 0
            for _ in range(20):
                begin = time.perf_counter()
                shown = run(binary, "search", query, "--json", "--archive", archive, env=site.environment(),
                            capture_output=True, text=True)
                times.append((time.perf_counter() - begin) * 1000)
                found = len(shown.stdout.splitlines())
            lines.append([title, f"`{query}`", found, f"{sorted(times)[10]:.0f} ms", f"{min(times):.0f} ms"])
    bench.table("search", "20 calls each, the whole process", ["", "query", "lines", "median", "fastest"], lines)


def start(bench):
    """archiver --version beside curl's, and the size of the binary, as Scripts/install builds it"""
    binary = bench.program
    figures = RESULTS / ".hyperfine"
    times = {"archiver": [], "curl": []}
    for _ in range(bench.runs):
        run("hyperfine", "-N", "--style", "none", "--warmup", "3", "--runs", "20", "--export-json", figures,
            f"{binary} --version", "curl --version", stdout=subprocess.DEVNULL)
        for name, result in zip(times, json.loads(figures.read_text())["results"]):
            times[name] += [seconds * 1000 for seconds in result["times"]]
    figures.unlink()
    stripped = RESULTS / ".stripped"
    run("strip", "-o", stripped, binary)
    size = stripped.stat().st_size
    stripped.unlink()
    lines = [[f"{name} --version", f"{statistics.median(found):.1f} ms", f"{min(found):.1f} ms"]
             for name, found in times.items()]
    bench.table("start", f"{20 * bench.runs} calls each by hyperfine, 20 in turn; the stripped binary has "
                f"{size / 1e6:.1f} MB", ["", "median", "fastest"], lines)


def stages(bench):
    """the pure stages: MB/s, and instructions as callgrind counts them"""
    program = bench.tools / "archiver-bench-stages"
    names = run(program, capture_output=True, text=True).stdout.split(":")[1].split()
    known = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    counts, lines = {}, []
    idle = instructions(program, "none", 0)
    for name in names:
        if name == "none":
            continue
        size, repeats, seconds = speed(program, name)
        counts[name] = (instructions(program, name, 1) - idle) / max(size, 1)
        before = known.get(name)
        change = f"{(counts[name] / before - 1) * 100:+.1f} %" if before else "new"
        if before and counts[name] > before * 1.1:
            bench.failures.append(f"{name}: {counts[name]:.2f} instructions a byte, {before:.2f} before")
        lines.append([name, f"{size * repeats / seconds / 1e6:,.0f} MB/s", f"{counts[name]:.2f}", change])
    if bench.records or not known:
        COUNTS.write_text(json.dumps(counts, indent=1) + "\n")
    bench.table("stages", "one core", ["stage", "speed", "instructions a byte", "against the reference"], lines)


def instructions(program, name, repeats):
    # The random seed of Swift's hash tables would vary the cheapest stage by 4 %.
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}
    out = RESULTS / ".callgrind"
    shown = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, name, str(repeats)],
        capture_output=True, text=True, env=environment)
    out.unlink(missing_ok=True)
    for line in shown.stderr.splitlines():
        if "Collected :" in line:
            return int(line.split(":")[1])
    sys_exit(f"valgrind counted nothing: {shown.stderr[-400:]}")


def speed(program, name):
    """Repeats for about a second; returns the best of three."""
    best, repeats = None, 4
    for _ in range(3):
        size, count, seconds, _ = run(program, name, repeats, capture_output=True, text=True).stdout.split()
        figures = (int(size), int(count), max(float(seconds), 1e-6))
        if best is None or figures[2] / figures[1] < best[2] / best[1]:
            best = figures
        repeats = max(4, int(figures[1] / figures[2] * 0.7))
    return best


def snapshot(archive):
    marks = {}
    for folder, _, names in os.walk(archive):
        for name in names:
            path = os.path.join(folder, name)
            status = os.stat(path)
            marks[os.path.relpath(path, archive)] = (status.st_mtime_ns, status.st_ino)
    return marks


FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:bench</id><title>Bench</title><updated>2026-01-01T00:00:00Z</updated>
<link rel="self" href="/opds.xml" type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
<entry><id>urn:bench:1</id><title>A large book</title><updated>2026-01-01T00:00:00Z</updated>
<link rel="http://opds-spec.org/acquisition" href="/book.pdf" type="application/pdf"/></entry></feed>
"""

QUERIES = [("a rare word", "nivuda"), ("a common word", "gaca"), ("three common words", "gaca raca heda"),
           ("a beginning of two letters", "fo"), ("of one letter", "k"), ("a phrase", '"quick brown fox"'),
           ("a word and a filter", "gaca before:2023-06-01")]

ROWS = {row.__name__: row
        for row in (first, warm, profile, latency, memory, growth, disk, increment, book, conversion, comic, search,
                    start, stages, versions)}


class Bench:
    def __init__(self, built, runs, long, records, peers, other):
        self.other = other
        (self.tools, self.program), self.runs, self.long, self.records = built, runs, long, records
        self.peers = peers or long
        self.failures = []
        self.facts = machine()

    def race(self, name, site, port):
        """curl, wget2 and archiver over the same URLs, wget2 also finding the images in the pages and
        rewriting their links; wget, httrack and, where it is installed, obelisk when they are asked for."""
        archives = []

        def archiver():
            archives.append(site.folder("archive"))
            return site.archiver(archives[-1], "--jobs", "32", port=port)

        slow = {"wget": lambda: site.wget(port), "httrack": lambda: site.httrack(port)} if self.peers else {}
        if self.peers and shutil.which("obelisk"):
            slow["obelisk"] = lambda: site.obelisk(port)
        figures = contest(self.runs, {
            "curl": lambda: site.curl(port), "wget2": lambda: site.wget2(port),
            "wget2 -p -k": lambda: site.wget2_pages(port), "archiver": archiver}, slow,
            few=1 if port == site.far else 2)
        bundles = len(list(archives[-1].glob("readeck/*/SHA256SUMS")))
        pictures = len([path for path in archives[-1].glob("readeck/*/assets/*") if path.is_file()])
        if bundles != 200 or pictures != 2_800:
            sys_exit(f"{bundles} bundles of 200 and {pictures} images of 2,800 were written")
        self.contest_table(name, ROWS[name].__doc__, figures, "curl", ["curl", "wget2", "wget2 -p -k", *slow, "archiver"])

    def contest_table(self, name, title, figures, base, order):
        lines = []
        for one in order:
            wall, cpu = ratios(figures, one, base, "wall"), ratios(figures, one, base, "cpu")
            count = len(figures[one])
            shown = one if count == len(figures[base]) else f"{one}, {count} run{'s' if count > 1 else ''}"
            lines.append([shown] + [f"{median(figures[one], key):.2f} s" for key in ("wall", "cpu")]
                         + [f"{median(figures[one], 'megabytes'):.0f} MB",
                            f"{statistics.median(wall):.2f} ({wall[0]:.2f}–{wall[-1]:.2f})" if wall else "-",
                            f"{statistics.median(cpu):.2f} ({cpu[0]:.2f}–{cpu[-1]:.2f})" if cpu else "-"])
        self.table(name, f"{title}; medians of {len(figures[base])} runs in turn",
                   ["", "wall", "CPU", "peak memory", f"wall ÷ {base}", f"CPU ÷ {base}"], lines, figures)

    def table(self, name, title, head, lines, figures=None):
        RESULTS.mkdir(exist_ok=True)
        text = [f"# {name}: {title}", "", self.facts + ".", "", "| " + " | ".join(head) + " |",
                "|" + "---|" * len(head)]
        text += ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]
        print("\n".join(text) + "\n", flush=True)
        suffix = "-long" if self.long and name in ("memory", "growth", "book") else ""
        (RESULTS / f"{name}{suffix}.md").write_text("\n".join(text) + "\n")
        record = {"row": name, "title": title, "machine": self.facts, "head": head, "lines": lines}
        if figures:
            record["runs"] = figures
        (RESULTS / f"{name}{suffix}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def main(arguments, usage):
    runs, long, records, peers, other, names = 5, False, False, False, None, []
    arguments = list(arguments)
    while arguments:
        word = arguments.pop(0)
        if word in ("-h", "--help"):
            print(usage.strip())
            return 0
        if word == "--list":
            print("\n".join(f"{name:10} {row.__doc__}" for name, row in ROWS.items()))
            return 0
        if word == "--long":
            long = True
        elif word == "--peers":
            peers = True
        elif word == "--against" and arguments:
            other = Path(arguments.pop(0)).resolve()
        elif word == "--record-counts":
            records = True
        elif word == "--runs" and arguments and arguments[0].isdigit() and int(arguments[0]) > 0:
            runs = int(arguments.pop(0))
        elif word in ROWS:
            names.append(word)
        else:
            print(f"Scripts/bench: unknown word {word} (try --help or --list)", file=sys.stderr)
            return 2
    bench = Bench(prepare(), runs, long, records, peers, other)
    for name in names or ROWS:
        ROWS[name](bench)
    for failure in bench.failures:
        print(f"Scripts/bench: {failure}", file=sys.stderr)
    return 1 if bench.failures else 0
