"""Archives the same sources every night and compares the archive with the model."""
import argparse
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import archive
from books import Catalog
from clock import Clock
from model import PATIENCE, Model
from notion import Notion
from program import Program
from readeck import Readeck
from server import Server
from world import World

FIRST_ITEMS = 25


def sites(names):
    """Returns new sources for a comma-separated list of kinds."""
    return [site() for site in (Readeck, Catalog, Notion) if not names or site.KIND in names.split(",")]


class Year:
    def __init__(self, options, folder):
        self.options = options
        clock = Clock(folder)
        self.disk = os.path.join(folder, "disk")
        self.is_mounted = self._mount()
        os.makedirs(os.path.join(folder, "copies"))
        program = Program(os.path.abspath(options.program), clock, os.path.join(folder, "home"))
        program.archive = os.path.join(self.disk, "archive-0")
        servers = {site.KIND: Server(site, clock) for site in sites(options.sources)}
        if Notion.KIND in servers:
            self._configure(os.path.join(folder, "home", "archiver"))
        for server in servers.values():
            for _ in range(FIRST_ITEMS):
                server.site.add(clock.now() - 86_400)
        chance = random.Random(options.seed)
        self.world = World(chance, options.seed, options.nights, clock, servers, program, self.disk)
        self.model = Model(self.world)
        # For nights without changes: maximum requests of each source, seconds, and seconds of `status`.
        self.quiet = {name: [] for name in servers}
        self.figures = []
        # The last night on which a server did not deliver one of its files.
        self.lacked_on = None

    def _mount(self):
        """Mounts a separate file system that can be filled; needs root."""
        os.makedirs(self.disk)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600M", "tmpfs", self.disk],
                              capture_output=True)
        return done.returncode == 0

    @staticmethod
    def _configure(folder):
        """Permits more than three requests a second to Notion."""
        os.makedirs(folder)
        with open(os.path.join(folder, "config.json5"), "w") as file:
            file.write('{ sources: { notion: { requestsPerSecond: 100 } } }')

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.disk], check=False)

    def run(self):
        for _ in range(self.options.nights):
            self.night()

    def night(self):
        world, model = self.world, self.model
        was_settled = model.is_settled()
        has_changed = world.live_until_night()
        tonight = world.tonight
        for server in world.servers.values():
            server.requests.clear()
        filler = self._fill() if tonight.is_full and self.is_mounted else None
        code, output, seconds = world.program(
            "run", "--quiet", ahead=tonight.ahead, killed_after=tonight.killed_after)
        if filler:
            os.remove(filler)
        faults = [server.faults for server in world.servers.values()]
        is_good = (tonight.killed_after is None and not filler
                   and not any(fault.is_down or fault.refuses_login for fault in faults))
        if self.options.verbose:
            print(f"night {world.night}: exit {code}, {seconds:.2f} s, {', '.join(world.happened)} {output}")
        if code not in self._expected(filler, faults):
            model.find(f"exit code {code} ({', '.join(world.happened) or 'an ordinary night'}): {output[:500]}")
        model.check(is_good)
        if self._lacks_files():
            self.lacked_on = world.night
        if not has_changed and was_settled and is_good and world.night > world.doubtful_until:
            for name, server in world.servers.items():
                if server.site.lacks_files():
                    continue
                count = server.site.listing_requests(server.requests)
                self.quiet[name].append((world.night, len(server.requests), count, len(server.site.wanted())))
        if os.path.isdir(os.path.join(world.program.archive, ".archiver")):
            if is_good and world.night % 10 == 0:
                self._look_after()
            world.sleep()

    def _expected(self, filler, faults):
        tonight = self.world.tonight
        if tonight.killed_after is not None:
            return {-9, 0, 1, 3}
        expected = {0}
        if self._lacks_files():
            expected.add(1)
        if any(fault.is_down or fault.refuses_login for fault in faults):
            expected = {3} if len(faults) == 1 else {3, 1}
        return expected | {4} if filler else expected

    def _lacks_files(self):
        return any(server.site.lacks_files() or server.faults.refuses_files
                   for server in self.world.servers.values())

    def _may_lack_files(self):
        """Whether items may still lack files that their server did not deliver."""
        return self.lacked_on is not None and self.world.night - self.lacked_on <= PATIENCE

    def _fill(self):
        """Fills the disk except for some kilobytes."""
        path = os.path.join(self.disk, "filler")
        free = shutil.disk_usage(self.disk).free
        with open(path, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(1, free - self.world.random.randrange(4096, 120_000)))
        return path

    def _look_after(self):
        world, model = self.world, self.model
        root = world.program.archive
        code, output, _ = world.program("verify")
        problems = [line for line in output.splitlines()[1:] if not re.match(r"\d+ items? lacks? an essential", line)]
        is_explained = code == 1 and not problems and self._may_lack_files()
        if code != 0 and not is_explained and not world.has_edits and model.is_settled():
            model.find(f"verify ends with {code}: {output[-400:]}", once=("verify", output[-400:]))
        _, _, seconds = world.program("status")
        total, orphans = archive.pool(root)
        if orphans > max(total / 10, 100_000):
            model.find(f"{orphans} of {total} bytes of the pool belong to no bundle", once="orphans")
        items = sum(len(archive.bundles(root, name)) for name in world.servers)
        self.figures.append((world.night, items, archive.catalog_size(root), seconds, total, orphans))

    def judge(self):
        """Compares the end of the year with its first third."""
        for name, nights in self.quiet.items():
            site = self.world.servers[name].site
            for night, requests, _, items in nights:
                if requests > site.whole_requests(items):
                    self.model.find(f"{name}: an unchanged night ({night}) of {items} items took {requests} requests")
            # Every seventh night does a full listing.
            if nights and statistics.median(count - site.quiet_requests(items) for _, _, count, items in nights) > 0:
                self.model.find(f"{name}: unchanged nights take more requests than they may: {nights}")
        if len(self.figures) < 4:
            return
        early, late = self.figures[len(self.figures) // 3], self.figures[-1]
        if late[2] / (late[1] + 50) > 1.5 * early[2] / (early[1] + 50):
            self.model.find(f"the catalog grew from {early[2]} to {late[2]} bytes with {early[1]} to {late[1]} items")
        third = len(self.figures) // 3
        before = min(figure[3] for figure in self.figures[:third + 1])
        after = min(figure[3] for figure in self.figures[-third:])
        if after > 1.5 * before + 0.05:
            self.model.find(f"status took {before:.3f} s in the first third and {after:.3f} s in the last")

    def summary(self):
        print(f"{'night':>5} {'items':>6} {'catalog':>9} {'status':>8} {'pool':>9} {'unused':>8}")
        step = max(1, len(self.figures) // 12)
        for night, items, catalog, seconds, total, orphans in self.figures[::-step][::-1]:
            print(f"{night:>5} {items:>6} {catalog:>9} {seconds:>6.3f} s {total:>9} {orphans:>8}")
        for name, nights in self.quiet.items():
            most = max((requests for _, requests, _, _ in nights), default=0)
            print(f"{name}: {len(nights)} unchanged nights, at most {most} requests each")
        print("incidents: " + ", ".join(f"{count} {name}" for name, count in sorted(self.world.counts.items())))
        print(f"{self.world.night} nights, seed {self.options.seed}: {len(self.model.findings)} findings")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nights", type=int, default=366)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--sources", help="only these, such as readeck,books")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--program", default=".build/debug/archiver")
    options = parser.parse_args()
    if options.short:
        options.nights = 40
    folder = tempfile.mkdtemp(prefix="archiver-year.")
    year = Year(options, folder)
    begin = time.monotonic()
    try:
        year.run()
        year.judge()
        year.summary()
        print(f"{time.monotonic() - begin:.0f} s")
    finally:
        year.close()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if year.model.findings else 0)


if __name__ == "__main__":
    main()
