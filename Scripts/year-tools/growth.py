"""The cost of a night without changes at a Readeck of many bookmarks, and of a full listing."""
import argparse
import os
import shutil
import tempfile

from clock import DAY, START, Clock
from program import Program
from readeck import Readeck
from server import Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--program", default=".build/release/archiver")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="archiver-year.")
    try:
        measure(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure(options, folder):
    clock = Clock(folder)
    program = Program(os.path.abspath(options.program), clock, os.path.join(folder, "home"))
    program.archive = os.path.join(folder, "archive")
    site = Readeck()
    server = Server(site, clock)
    program.settings = site.settings(server.address)
    for _ in range(options.items):
        key = site.add(clock.now() - DAY)
        site.bookmarks[key].pictures = {}
    print(f"{options.items} bookmarks", flush=True)
    night(program, server, clock, 0, "first night")
    for number in range(1, 4):
        night(program, server, clock, number, "unchanged night")
    # A week after the first listing, a full listing is due.
    night(program, server, clock, 8, "whole listing")
    night(program, server, clock, 9, "unchanged night")


def night(program, server, clock, number, name):
    clock.set(START + number * DAY)
    server.requests.clear()
    code, output, seconds = program("run", "--quiet")
    print(f"{name:16} exit {code}, {len(server.requests):>6} requests, {seconds:.3f} s of processor {output[:200]}",
          flush=True)


if __name__ == "__main__":
    main()
