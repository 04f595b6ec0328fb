"""Runs archiver at the simulated time."""
import os
import resource
import subprocess


class Program:
    def __init__(self, path, clock, home):
        self.path, self.clock, self.home = path, clock, home
        self.archive = None
        self.settings = {}

    def environment(self, ahead):
        names = {name: value for name, value in os.environ.items()
                 if not name.startswith(("READECK_", "NOTION_", "BOOKS_", "ARCHIVER_"))}
        return {**names, "XDG_CONFIG_HOME": self.home, "HOME": self.home, "LC_ALL": "C.UTF-8",
                **self.settings, **self.clock.environment(ahead)}

    def __call__(self, *arguments, ahead=0, killed_after=None):
        """Returns exit code, output and CPU seconds of a command; the code is -9 if it was killed."""
        command = [self.path, *arguments, "--archive", self.archive]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(command, env=self.environment(ahead), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, _ = process.communicate(timeout=killed_after or 300)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return process.returncode, output.strip(), seconds
