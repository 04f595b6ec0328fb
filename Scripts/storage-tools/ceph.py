"""A Ceph cluster of one node with its S3 gateway, on loopback and in one folder.

The programs are Debian's: ceph-mon, ceph-osd, radosgw and ceph-common.
"""
import json
import os
import shutil
import socket
import subprocess
import time
import uuid

PROGRAMS = ("ceph", "ceph-mon", "monmaptool", "ceph-osd", "radosgw", "radosgw-admin")
PACKAGES = "ceph-mon ceph-osd radosgw ceph-common"
DISK = 20 << 30

CONFIGURATION = """
[global]
fsid = {fsid}
mon host = [v2:127.0.0.1:{mon}]
ms bind ipv4 = true
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
auth supported = none
ms cluster mode = crc
ms service mode = crc
ms client mode = crc
ms mon cluster mode = crc
ms mon service mode = crc
ms mon client mode = crc
keyring = /dev/null
run dir = {folder}/run
admin socket = {folder}/run/$name.asok
log file = {folder}/$name.log
mon cluster log file = {folder}/cluster.log
crash dir = {folder}/crash
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 1
osd objectstore = bluestore
osd memory target = 939524096
bluestore block size = {disk}
bluestore block create = true
bluestore fsck on mount = false
[mon.a]
mon data = {folder}/mon
[osd.0]
osd data = {folder}/osd
[client.rgw]
rgw data = {folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:{gateway}
rgw enable usage log = false
rgw user quota bucket sync interval = 1
rgw bucket quota ttl = 1
"""


def missing():
    """Returns the names of the programs that are not installed."""
    return [name for name in PROGRAMS if not shutil.which(name)]


class Cluster:
    """Runs while the context is entered; all of it is in one folder, which has to be absolute and short."""

    def __init__(self, folder, gateway, monitor, key, secret):
        self.folder, self.gateway, self.monitor = folder, gateway, monitor
        self.key, self.secret = key, secret
        self.conf = folder / "ceph.conf"
        self.processes = []

    def call(self, *words, **more):
        name, *rest = words
        return subprocess.run(
            [name, "-c", str(self.conf), *rest], check=True, capture_output=True, text=True, timeout=120,
            **more).stdout

    def start(self, *words):
        name, *rest = words
        output = open(self.folder / f"{name}.out", "w")
        self.processes.append(subprocess.Popen(
            [name, "-c", str(self.conf), "-f", *rest], stdin=subprocess.DEVNULL, stdout=output, stderr=output))

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def make(self):
        for name in ("run", "crash", "mon", "osd", "rgw"):
            (self.folder / name).mkdir(parents=True)
        fsid = str(uuid.uuid4())
        self.conf.write_text(CONFIGURATION.format(
            fsid=fsid, mon=self.monitor, gateway=self.gateway, folder=self.folder, disk=DISK))
        monmap = str(self.folder / "monmap")
        self.call("monmaptool", "--create", "--addv", "a", f"[v2:127.0.0.1:{self.monitor}]",
                  "--fsid", fsid, monmap)
        self.call("ceph-mon", "--mkfs", "-i", "a", "--monmap", monmap)
        self.start("ceph-mon", "-i", "a")
        osd = str(uuid.uuid4())
        assert self.call("ceph", "osd", "new", osd).strip() == "0"
        self.call("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", osd)
        self.start("ceph-osd", "-i", "0")
        self.call("ceph", "osd", "crush", "add", "osd.0", "1.0", "root=default")
        self.start("radosgw", "-n", "client.rgw")
        self.wait()
        self.call("radosgw-admin", "user", "create", "--uid", "reader", "--display-name", "reader",
                  "--access-key", self.key, "--secret-key", self.secret)

    def wait(self):
        for _ in range(1_200):
            if any(process.poll() is not None for process in self.processes):
                break
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.gateway)) == 0:
                    return
            time.sleep(0.1)
        raise RuntimeError(f"the Ceph gateway did not start; see {self.folder}")


    def limit(self, byte_count):
        """Sets the user's quota in bytes; `None` for no limit."""
        words = ("--uid", "reader", "--quota-scope", "user")
        if byte_count is None:
            self.call("radosgw-admin", "quota", "disable", *words)
        else:
            self.call("radosgw-admin", "quota", "set", *words, f"--max-size={byte_count}")
            self.call("radosgw-admin", "quota", "enable", *words)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []
