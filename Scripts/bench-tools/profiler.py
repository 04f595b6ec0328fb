"""The row with the CPU profile of a first run."""
import re
import shutil
import subprocess
import tempfile
from collections import Counter

from stage import run

# The category of a sample: the first line that matches. `stack` is searched in the names of the whole
# stack, innermost first, `library` in the file of the innermost frame.
WORK = [
    ("kernel: page faults", "stack", r"exc_page_fault"),
    ("kernel: receiving", "stack", r"(__x64_sys|ksys)_(recv|read)"),
    ("kernel: sending and connecting", "stack", r"__x64_sys_(send|connect|socket|accept)"),
    ("kernel: writing and flushing", "stack",
     r"(__x64_sys|ksys)_(p?write|fallocate|ftruncate|f?(data)?sync|sync_file_range|fadvise|io_)"),
    ("kernel: creating, renaming, listing", "stack",
     r"__x64_sys_(open|creat|close|rename|link|unlink|mkdir|rmdir|new|stat|fstat|getdents|f?chmod|utimens|access|fcntl)"),
    ("kernel: waiting and waking", "stack", r"__x64_sys_(e?poll|futex|select|eventfd|timerfd|clock_nanosleep)|schedule"),
    ("kernel: starting and ending", "stack", r"__x64_sys_(exec|exit|m(map|unmap|protect|remap)|brk|madvise|clone)|do_exit|ret_from_fork"),
    ("kernel: the rest", "library", r"^\[(kernel|guest)"),
    ("SHA-256", "library", r"libcrypto"),
    ("parsing HTML", "library", r"libxml2"),
    ("regular expressions", "library", r"libpcre2"),
    ("the catalog", "library", r"libsqlite3"),
    ("HTTP", "library", r"libcurl|libnghttp|libssl"),
    ("memory: taking, giving back, copying", "stack",
     r"^(_int_|mem|__mem|_mid_mem|malloc|free|cfree|calloc|realloc|sysmalloc|unlink_chunk|tcache|arena_get)"),
    ("Swift: counting references, dynamic types", "inner", r"^_?swift_|^swift::"),
    ("other libraries", "library", r"\.so|\[vdso"),
    ("the program's own", "library", r""),
]


def profile(bench, contestants):
    """Runs each of `contestants`, pairs of a name and a function that takes a command to put before the
    measured one, under perf; writes the table. Prints the reason if perf cannot count."""
    reason = obstacle()
    if reason:
        print(f"profile: left out, {reason}\n", flush=True)
        return
    shares = {}
    for name, action in contestants.items():
        shares[name] = Counter()
        for _ in range(bench.runs):
            with tempfile.NamedTemporaryFile() as samples:
                action(["perf", "record", "-q", "-F", "1999", "-e", "cpu-clock", "-g", "-o", samples.name, "--"])
                shares[name].update(classified(samples.name))
        for work in shares[name]:
            shares[name][work] /= bench.runs
    lines = [[work] + [f"{shares[name][work]:.0f} ms" for name in shares]
             for work, *_ in WORK if any(shares[name][work] >= 0.5 for name in shares)]
    lines.append(["all"] + [f"{sum(shares[name].values()):.0f} ms" for name in shares])
    bench.table("profile", f"processor time of a first run, means of {bench.runs} runs; being sampled "
                "1,999 times a second makes them slower", ["", *shares], lines)


def obstacle():
    """Returns the reason why perf cannot count here; None if it can."""
    if not shutil.which("perf"):
        return "perf is not installed (Debian: linux-perf)"
    with tempfile.NamedTemporaryFile() as samples:
        tried = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-g", "-o", samples.name, "--", "true"],
                               capture_output=True, text=True)
    return f"perf cannot count here: {tried.stderr.strip().splitlines()[0]}" if tried.returncode else None


def classified(samples):
    """Returns the milliseconds of a recording by kind of work."""
    shown = run("perf", "script", "-i", samples, "--no-inline", "-F", "period,ip,sym,dso",
                capture_output=True, text=True).stdout
    counts = Counter()
    for sample in shown.split("\n\n"):
        lines = sample.strip().splitlines()
        if lines and lines[0].strip().isdigit():
            counts[kind(lines[1:])] += int(lines[0]) / 1e6
    return counts


def kind(frames):
    """Returns the kind of work of a stack, given as perf's lines, innermost first."""
    stack = [parts(frame) for frame in frames] or [("", "")]
    for work, where, pattern in WORK:
        wanted = re.compile(pattern)
        if where == "library":
            fits = wanted.search(stack[0][1])
        elif where == "inner":
            fits = wanted.search(stack[0][0])
        else:
            fits = any(wanted.search(name) for name, _ in stack)
        if fits:
            return work
    return WORK[-1][0]


def parts(frame):
    """Returns the name and the file of a frame: `ffffffff815d52b5 name ([kernel.kallsyms])`."""
    found = re.match(r"\s*[0-9a-f]+ (.*?) \((.*)\)$", frame)
    return (found[1], found[2]) if found else ("", "")
