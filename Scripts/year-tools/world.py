"""The simulated world: changing sources, one program, one disk."""
import os
import shutil
import subprocess

import incidents
from clock import DAY, START


class Tonight:
    """The special conditions of a night's run."""

    def __init__(self):
        self.ahead = 0
        self.killed_after = None
        self.is_full = False


class World:
    def __init__(self, random, seed, nights, clock, servers, program, disk):
        self.random, self.seed, self.clock = random, seed, clock
        self.servers, self.program, self.disk = servers, program, disk
        self.night = 0
        self.later = {}
        self.plan = incidents.schedule(random, nights)
        self.tonight = Tonight()
        self.copies = []
        self.has_edits = False
        self.doubtful_until = 0
        self.happened = []
        self.counts = {}
        self.configure()

    def configure(self):
        for server in self.servers.values():
            self.program.settings |= server.site.settings(server.address)

    def at(self, nights, action):
        self.later.setdefault(self.night + nights, []).append(action)

    def some(self, values, count):
        return self.random.sample(values, min(count, len(values)))

    def if_there(self, server, key, action):
        if key in server.site.wanted():
            action(key, server.now())

    def edit(self, server):
        """An ordinary evening: additions, changes, sometimes deletions."""
        site = server.site
        if self.random.random() < 0.7:
            site.add(server.now())
        for action, chance in ((site.rewrite, 0.3), (site.label, 0.3), (site.highlight, 0.2),
                               (site.delete, 0.08)):
            if self.random.random() < chance:
                for key in self.some(list(site.wanted()), 1):
                    action(key, server.now())

    def live_until_night(self):
        """Simulates a day; returns whether anything changed."""
        self.night += 1
        self.tonight = Tonight()
        self.clock.set(START + DAY * self.night - 3600 * 4)
        # Runs at half past two in local time, the hour that daylight saving skips or repeats.
        actions = self.later.pop(self.night, [])
        for action in actions:
            action()
        befalling = self.plan.get(self.night, [])
        is_quiet = self.night % 5 == 0 and not actions and not befalling
        for server in self.servers.values():
            if not is_quiet:
                self.edit(server)
        self.happened = []
        for incident in befalling:
            server = self.random.choice(list(self.servers.values()))
            self.happened.append(incident.__name__)
            self.counts[incident.__name__] = self.counts.get(incident.__name__, 0) + 1
            incident(self, server)
        self.clock.set(START + DAY * self.night)
        return not is_quiet

    def sleep(self):
        """Makes the nightly copies."""
        for server in self.servers.values():
            server.site.back_up()
            del server.site.backups[:-15]
        place = os.path.join(os.path.dirname(self.disk), "copies", str(self.night))
        subprocess.run(["cp", "-a", os.path.join(self.program.archive, ".archiver"), place], check=True)
        self.copies.append(place)
        for old in self.copies[:-8]:
            shutil.rmtree(old)
        del self.copies[:-8]
