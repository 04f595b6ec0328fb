"""Counts what the bundles of a folder of books lack; see Scripts/count-loss."""
import argparse
import sys
from pathlib import Path

import counting
import markup
import selftest

LEAST_WORDS, LEAST_PICTURES = 99.99, 99.8


def share(whole, lost):
    return f"{100 * (whole - lost) / whole:.4f} %" if whole else "–"


def table(counts):
    sums = counting.totals(counts)
    rows = [["kind", "books", "unread", "words", "kept", "contents", "kept", "images", "kept", "shown by browsers",
             "kept", "lack something", "untold", "foreign scripts"]]
    for kind in sorted(sums, key=lambda kind: (kind == "all", kind)):
        one = sums[kind]
        rows.append([kind, one["books"], one["unread"], one["words"], share(one["words"], one["lost_words"]),
                     one["contents"], share(one["contents"], one["lost_contents"]), one["pictures"],
                     share(one["pictures"], one["lost_pictures"]), one["displayable"],
                     share(one["displayable"], one["lost_displayable"]), one["losing"], one["untold"],
                     one["foreign_scripts"]])
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(str(cell).rjust(width) for cell, width in zip(row, widths)) for row in rows)


def details(counts):
    for one in counts:
        if not one.loses and not one.foreign_scripts:
            continue
        parts = [f"{number} of {whole} {name}" for number, whole, name in (
            (one.lost_words, one.words, "words"), (one.lost_contents, one.contents, "words of the contents"),
            (one.lost_pictures, one.pictures, "images")) if number]
        parts += ["not archived"] * (not one.is_archived) + ["file not kept"] * (one.is_archived and not one.is_kept)
        parts += ["no pages"] * one.is_unread + [f"{one.foreign_scripts} foreign scripts"] * bool(one.foreign_scripts)
        yield f"{one.file}: {', '.join(parts)}{'' if one.is_told else ' (untold)'}"


def main():
    parser = argparse.ArgumentParser(prog="Scripts/count-loss")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--program", default=".build/debug/archiver")
    parser.add_argument("--archive")
    parser.add_argument("--recount", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--as-browser", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return selftest.run(options.program)
    if options.folder is None:
        parser.error("name a folder of books, or --self-test")
    files = sorted(file for file in options.folder.rglob("*") if file.is_file())[:options.limit]
    if options.recount and not options.archive:
        parser.error("--recount needs --archive")
    counts, code, output = counting.count(
        None if options.recount else options.program, files, options.archive,
        lambda done, all_: done % 100 or print(f"{done} of {all_}", file=sys.stderr, flush=True),
        markup.markup if options.as_browser else markup.quick)
    print("\n".join(details(counts)))
    for one in counts:
        if one.fault:
            print(f"{one.file}: not counted: {one.fault}")
    print(table(counts))
    if options.json:
        options.json.write_text(counting.as_json(counts, code, output))
    sums = counting.totals(counts).get("all")
    if not sums:
        parser.error("the folder has no files")
    fails = [sums["lost_words"] > (100 - LEAST_WORDS) / 100 * sums["words"],
             sums["lost_displayable"] > (100 - LEAST_PICTURES) / 100 * sums["displayable"],
             sums["untold"], sums["foreign_scripts"], sums["not_kept"]]
    return int(any(fails))


if __name__ == "__main__":
    sys.exit(main())
