"""The incidents of a year. Each takes the world and the server that it affects."""
import os
import shutil

from clock import DAY


def stamp_of_2099(world, server):
    server.site.add(world.clock.now(), stamp=4_070_908_800)


def server_ahead(world, server):
    """The server's clock is a month ahead for an evening, on which items change and are added."""
    server.faults.ahead = 30 * DAY
    world.edit(server)
    server.site.add(server.now())
    world.at(1, lambda: setattr(server.faults, "ahead", 0))


def own_clock_ahead(world, server):
    world.tonight.ahead = 30 * DAY


def restored(world, server):
    if server.site.backups:
        server.site.restore(min(14, len(server.site.backups)))


def moved(world, server):
    server.place = 1 - server.place
    world.configure()


def image_removed(world, server):
    for key in world.some(server.site.with_pictures(), 2):
        server.site.remove_pictures(key)
        world.at(1, lambda key=key: world.if_there(server, key, server.site.label))


def late_picture(world, server):
    key = server.site.add_without_pictures(world.clock.now())
    world.at(4, lambda: server.site.deliver_pictures(key))


def repainted(world, server):
    for key in world.some(server.site.with_pictures(), 1):
        server.site.repaint(key, world.clock.now(), tells=True)


def repainted_in_silence(world, server):
    for key in world.some(server.site.with_pictures(), 1):
        server.site.repaint(key, world.clock.now(), tells=False)
        world.at(3, lambda key=key: world.if_there(server, key, server.site.rewrite))


def rewritten_and_read(world, server):
    for key in world.some(list(server.site.wanted()), 1):
        server.site.rewrite(key, world.clock.now())
        for evening in (1, 2, 3):
            world.at(evening, lambda key=key: world.if_there(server, key, server.site.highlight))


def down(world, server):
    server.faults.is_down = True
    world.at(world.random.randint(1, 3), lambda: setattr(server.faults, "is_down", False))


def login_expired(world, server):
    server.faults.refuses_login = True
    world.at(world.random.randint(1, 4), lambda: setattr(server.faults, "refuses_login", False))


def files_refused(world, server):
    """The server gives no image and no book for an evening, on which items change and are added."""
    server.faults.refuses_files = True
    world.edit(server)
    # Of the newest items, files are known at the server's present address.
    for key in world.some(list(server.site.wanted())[-6:], 2):
        server.site.rewrite(key, server.now())
    world.at(1, lambda: setattr(server.faults, "refuses_files", False))


def killed(world, server):
    world.edit(server)
    world.tonight.killed_after = world.random.uniform(0.02, 0.4)


def disk_full(world, server):
    for _ in range(3):
        server.site.add(world.clock.now())
    world.tonight.is_full = True


def edited_by_hand(world, server):
    folder = os.path.join(world.program.archive, server.site.KIND)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in world.some([n for n in names if not n.startswith(".")], 1):
        with open(os.path.join(folder, name, "index.html"), "a") as file:
            file.write(f"<!-- zqhand{world.night}x -->")
        world.has_edits = True


def old_catalog(world, server):
    """`.archiver` is restored from a copy of a week ago; the bundles stay unchanged."""
    if world.copies:
        place = os.path.join(world.program.archive, ".archiver")
        shutil.rmtree(place)
        shutil.copytree(world.copies[max(-7, -len(world.copies))], place, symlinks=True)
        # By then bundles and catalog have been compared, and different items fetched.
        world.doubtful_until = world.night + 8


def archive_moved(world, server):
    place = world.program.archive
    new = f"{place.rsplit('-', 1)[0]}-{world.night}"
    os.rename(place, new)
    world.program.archive = new


def upgraded(world, server):
    server.site.upgrade()
    world.edit(server)


ALL = [stamp_of_2099, server_ahead, own_clock_ahead, restored, moved, image_removed, late_picture, repainted,
       repainted_in_silence, rewritten_and_read, down, login_expired, files_refused, killed, disk_full, edited_by_hand,
       old_catalog, archive_moved, upgraded]


def schedule(random, nights, per_round=18):
    """Which incidents happen on which night: all in the first `per_round` nights after a week, and in as
    many again and again, on the other nights nothing."""
    plan = {}
    start = 7
    while start < nights:
        for incident in random.sample(ALL, len(ALL)):
            plan.setdefault(start + random.randrange(per_round + 8), []).append(incident)
        start += per_round + 12
    return plan
