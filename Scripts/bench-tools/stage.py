"""The infrastructure of Scripts/bench: builds, servers, measured commands."""
import atexit
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "Scripts/bench-results"

NGINX = """
load_module {modules}/ngx_http_echo_module.so;
pid {work}/nginx.pid;
error_log {work}/error.log;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  types {{ image/jpeg jpg; text/html html; application/pdf pdf; application/atom+xml xml; }}
  client_body_temp_path {work}/body; proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/f; uwsgi_temp_path {work}/u; scgi_temp_path {work}/s;
  server {{
    listen 127.0.0.1:{near};
    location /api/ {{ access_log {work}/api.log; proxy_pass http://127.0.0.1:{api}; proxy_set_header Host $http_host; proxy_buffering off; }}
    location / {{ root {work}/www; }}
  }}
  server {{
    # Every request waits, as with a latency of {latency} ms; many wait concurrently.
    listen 127.0.0.1:{far};
    location /api/ {{ echo_read_request_body; echo_sleep {seconds}; echo_exec @api; }}
    location @api {{ proxy_pass http://127.0.0.1:{api}; proxy_set_header Host $http_host; proxy_buffering off; }}
    location / {{ echo_sleep {seconds}; echo_exec @files; }}
    location @files {{ root {work}/www; }}
  }}
}}
"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def prepare():
    """Installs what is missing and builds; returns the folder of the tools, and the program."""
    missing = [name for name in ("nginx", "curl", "wget2", "wget", "httrack", "hyperfine", "strace", "valgrind")
               if not shutil.which(name)]
    if missing or not Path("/usr/bin/time").exists() or not module_folder():
        if not shutil.which("apt-get"):
            sys_exit(f"install {', '.join(missing)}, time and nginx's echo module first")
        run("apt-get", "install", "-y", "-qq", "nginx-light", "libnginx-mod-http-echo", "curl", "wget2",
            "wget", "httrack", "hyperfine", "time", "strace", "valgrind", stdout=subprocess.DEVNULL)
    for product in ("archiver-bench-server", "archiver-bench-stages"):
        run("swift", "build", "-c", "release", "--product", product, cwd=ROOT, stdout=2)
    shown = run("swift", "build", "-c", "release", "--show-bin-path", cwd=ROOT, capture_output=True, text=True)
    return Path(shown.stdout.strip()), installed()


def installed():
    """Builds the program as Scripts/install does; returns its path."""
    options = ["-c", "release", "--static-swift-stdlib", "--scratch-path", ".build/static"]
    run("swift", "build", *options, "--product", "archiver", cwd=ROOT, stdout=2)
    shown = run("swift", "build", *options, "--show-bin-path", cwd=ROOT, capture_output=True, text=True)
    return Path(shown.stdout.strip()) / "archiver"


def module_folder():
    for folder in ("/usr/lib/nginx/modules", "/usr/lib64/nginx/modules"):
        if Path(folder, "ngx_http_echo_module.so").exists():
            return folder
    return None


def sys_exit(message):
    raise SystemExit(f"Scripts/bench: {message}")


def free_ports(count):
    """Returns distinct free ports of loopback."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def machine():
    swift = run("swift", "--version", capture_output=True, text=True).stdout
    words = swift.split("Swift version ")[1].split()[0] if "Swift version " in swift else "?"
    curl = run("curl", "--version", capture_output=True, text=True).stdout.split()[1]
    return f"{os.cpu_count()} cores, {platform.system()} {platform.release()} {platform.machine()}, Swift {words}, curl {curl}"


class Site:
    """A synthetic Readeck behind nginx, with a port without and a port with latency."""

    def __init__(self, bench, items, images, size, latency=30, words=0):
        self.program = bench.program
        self.work = Path(tempfile.mkdtemp(prefix="archiver-bench."))
        self.work.chmod(0o755)
        self.folders = []
        (self.work / "www").mkdir()
        self.api = subprocess.Popen(
            [bench.tools / "archiver-bench-server", "--items", str(items), "--images", str(images), "--bytes",
             str(size), "--words", str(words), "--files", self.work / "www"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        api_port = int(self.api.stdout.readline())
        self.serve(api_port, latency)
        self.paths = (self.work / "www/urls").read_text().split()

    def serve(self, api_port, latency):
        """Starts nginx on two ports; tries others if one of them was taken meanwhile."""
        conf = self.work / "nginx.conf"
        for _ in range(10):
            self.near, self.far = free_ports(2)
            conf.write_text(NGINX.format(
                work=self.work, near=self.near, far=self.far, api=api_port, latency=latency,
                seconds=latency / 1000, modules=module_folder()))
            started = subprocess.run(["nginx", "-p", self.work, "-c", conf], capture_output=True, text=True)
            if started.returncode == 0:
                return
        self.api.stdin.close()
        sys_exit(f"nginx did not start: {started.stderr.strip()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.api.stdin.close()
        self.api.wait()
        pid = self.work / "nginx.pid"
        if pid.exists():
            os.kill(int(pid.read_text()), 15)
        # Deleted only after all rows are done, for the reason given in `folder`.
        atexit.register(shutil.rmtree, self.work, ignore_errors=True)

    def folder(self, name):
        """Creates a folder for a run. Nothing is deleted before the end: after many deletions, ext4
        searches long for a free inode, which does not occur in a nightly run."""
        folder = self.work / f"{name}{len(self.folders) + 1}"
        folder.mkdir()
        self.folders.append(folder)
        return folder

    def environment(self, port=None):
        return {"PATH": os.environ["PATH"], "HOME": str(self.work), "XDG_CONFIG_HOME": str(self.work),
                "READECK_URL": f"http://127.0.0.1:{port or self.near}", "READECK_TOKEN": "bench"}

    def archiver(self, archive, *options, port=None, under=()):
        command = [self.program, "run", "--source", "readeck", "--quiet", "--archive", archive, *options]
        return measure(command, self.environment(port), under)

    def curl(self, port=None, jobs=32, under=()):
        folder = self.folder("curl")
        config = folder.with_suffix(".config")
        config.write_text("".join(
            f'url = "http://127.0.0.1:{port or self.near}{path}"\noutput = "{folder}/{number}"\n'
            for number, path in enumerate(self.paths)))
        return measure(["curl", "-fsS", "--no-progress-meter", "--parallel", "--parallel-max", str(jobs),
                        "--config", config], under=under)

    def wget2(self, port=None, jobs=32):
        folder, urls = self.listed("wget2", port)
        return measure(["wget2", "-q", "-x", "--no-robots", f"--max-threads={jobs}", "-P", folder, "-i", urls])

    def wget2_pages(self, port=None, jobs=32):
        """Runs wget2 with the pages only: it finds their images and rewrites the links."""
        folder, urls = self.listed("wget2pk", port, lambda path: path.endswith(".html"))
        return self.complete(folder, measure(
            ["wget2", "-q", "-p", "-k", "--no-robots", f"--max-threads={jobs}", "-P", folder, "-i", urls]))

    def wget(self, port=None):
        """Runs wget, which supports a single connection."""
        folder, urls = self.listed("wget", port)
        return self.complete(folder, measure(["wget", "-q", "-x", "-P", folder, "-i", urls]))

    def httrack(self, port=None, jobs=8):
        """Runs httrack with its maximum number of connections, without its limits per second."""
        folder, urls = self.listed("httrack", port)
        return self.complete(folder, measure(
            ["httrack", "-q", "-%v0", "-I0", "-C0", "-s0", "-A0", "-%c0", f"-c{jobs}", "-r1",
             "--disable-security-limits", "-O", folder, "--list", urls]))

    def obelisk(self, port=None, jobs=32):
        """Runs obelisk, which fetches one page at a time, into one file per page with its images."""
        folder, urls = self.listed("obelisk", port, lambda path: path.endswith(".html"))
        lines = urls.read_text().splitlines()
        urls.write_text("".join(f"{line}\t{number}.html\n" for number, line in enumerate(lines)))
        figures = measure(["obelisk", "-q", f"--max-concurrent-download={jobs}", "-o", folder, "-i", urls])
        found = sum(page.read_bytes().count(b"data:image/jpeg") for page in folder.iterdir())
        wanted = sum(path.endswith(".jpg") for path in self.paths)
        if found != wanted:
            sys_exit(f"{folder.name} has {found} images of {wanted}")
        return figures

    def listed(self, name, port, wanted=lambda path: True):
        """Creates a folder for a run, and a file with the URLs to fetch."""
        folder = self.folder(name)
        urls = folder.with_suffix(".urls")
        urls.write_text("".join(f"http://127.0.0.1:{port or self.near}{path}\n" for path in self.paths if wanted(path)))
        return folder, urls

    def complete(self, folder, figures):
        """Returns the measurements of a run that wrote every image; exits otherwise."""
        wanted = sum(path.endswith(".jpg") for path in self.paths)
        found = sum(1 for _ in folder.rglob("*.jpg"))
        if found != wanted:
            sys_exit(f"{folder.name} has {found} images of {wanted}")
        return figures

    def add(self, count):
        """Adds articles with 14 images each to the Readeck."""
        self.api.stdin.write(f"add {count}\n")
        self.api.stdin.flush()
        self.api.stdout.readline()

    def api_requests(self):
        """Returns the number of requests to the API since the last call."""
        log = self.work / "api.log"
        os.kill(int((self.work / "nginx.pid").read_text()), 10)  # closes and reopens the log
        time.sleep(0.1)
        count = len(log.read_text().splitlines()) if log.exists() else 0
        log.write_text("")
        return count


at_hand = None  # the arguments of `memory_at_hand`


@contextmanager
def memory_at_hand(megabytes, folders=()):
    """Ensures that this much free memory, and the page cache of the files in the last of `folders`, is backed
    by the host before every measured command.

    Hosts of virtual machines reclaim free memory, and a page that the host must provide first costs several
    times as much. Buffered writes touch a new page for all that they fill, so the contestant that finds less
    memory would be slower. A physical machine always has its memory."""
    global at_hand
    at_hand = (megabytes, folders)
    try:
        yield
    finally:
        at_hand = None


def make_memory_ready():
    megabytes, folders = at_hand
    for folder in folders[-5:]:
        for path, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(path, name), "rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    run(sys.executable, "-c", f"b'x' * ({megabytes} << 20)")


def measure(command, environment=None, under=()):
    """Runs a command, under the command `under` if it is given; returns wall seconds, processor seconds and
    peak megabytes.

    Everything written before is flushed first: a flush of the file system waits for all dirty files,
    including those of the previous contestant. The program is in the page cache: some machines evict
    files within half a minute, and the larger program would be measured by its disk."""
    os.sync()
    if at_hand:
        make_memory_ready()
    subprocess.run([command[0], "--help"], stdout=subprocess.DEVNULL, check=True)
    with tempfile.TemporaryFile("w+") as errors, tempfile.NamedTemporaryFile("r") as figures:
        shown = ["/usr/bin/time", "-o", figures.name, "-f", "%M", *under, *[str(part) for part in command]]
        started = time.perf_counter()
        process = subprocess.Popen(shown, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        # `time` reports hundredths of a second only.
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            sys_exit(f"{command[0]} ended with {process.returncode}: {errors.read()[-600:]}")
        kilobytes = float(figures.read().split()[-1])
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "user": usage.ru_utime, "megabytes": kilobytes / 1024}


def contest(runs, contestants, slow=None, few=0):
    """Runs the contestants in turn, once to warm up and then `runs` times; returns all measurements.
    Contestants of `slow` run only in the first `few` of these rounds."""
    figures = {name: [] for name in contestants | (slow or {})}
    for number in range(runs + 1):
        for name, action in (contestants | (slow or {}) if 0 < number <= few else contestants).items():
            result = action()
            if number:
                figures[name].append(result)
    return figures


def median(figures, key):
    return statistics.median(figure[key] for figure in figures)


def ratios(figures, name, other, key):
    """Returns the ratio of each round, sorted; the runs of a round follow each other."""
    return sorted(one[key] / two[key] for one, two in zip(figures[name], figures[other]) if two[key] > 0)
