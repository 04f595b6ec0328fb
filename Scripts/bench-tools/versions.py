"""The row `versions`: user time of first runs beside another build of the program."""
import statistics

from stage import Site, contest, median, ratios, sys_exit

SITES = {"200 articles with 14 images of 101 kB": (200, 14, 101_000, 0),
         "1,000 articles of 1,000 words": (1_000, 0, 0, 1_000)}


def versions(bench):
    """user time of first runs beside another build of the program, given with --against PROGRAM"""
    if not bench.other:
        print("versions: skipped, no --against PROGRAM\n")
        return
    lines, runs = [], {}
    for name, (items, images, size, words) in SITES.items():
        with Site(bench, items, images, size, words=words) as site:
            def first(program):
                archive = site.folder("archive")
                site.program = program
                figures = site.archiver(archive, "--jobs", "32")
                written = len(list(archive.glob("readeck/*/index.html")))
                if written != items:
                    sys_exit(f"{program} wrote {written} bundles of {items}")
                return figures

            figures = contest(bench.runs, {
                "other": lambda: first(bench.other), "this": lambda: first(bench.program)})
            user = ratios(figures, "this", "other", "user")
            lines.append([name] + [f"{median(figures[one], 'user'):.2f} s" for one in ("other", "this")]
                         + [f"{statistics.median(user):.2f} ({user[0]:.2f}–{user[-1]:.2f})"])
            runs[name] = figures
    bench.table("versions", f"user time of first runs; medians of {bench.runs} runs in turn",
                ["", "the other build", "this one", "this ÷ other"], lines, runs)
