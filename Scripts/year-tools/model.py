"""The invariants after every night, derived from the sources and the disk, not from the program."""
import archive

# The number of successful nights after which everything that a source has must be archived.
PATIENCE = 7
KEPT_VERSIONS = 3


class Model:
    def __init__(self, world):
        self.world = world
        # The words and images of each item in any bundle or version after any night.
        self.ever = {}
        # The successful nights for which an item's archived copy has differed from the source.
        self.waiting = {}
        self.findings = []
        self.told = set()

    def find(self, what, once=None):
        """Reports a finding; only the first with the same `once`."""
        if once is None or once not in self.told:
            self.told.add(once)
            line = f"night {self.world.night}, seed {self.world.seed}: {what}"
            self.findings.append(line)
            print("FOUND " + line, flush=True)

    def check(self, is_good_night):
        for name, server in self.world.servers.items():
            bundles = archive.bundles(self.world.program.archive, name)
            self._check_kept(name, bundles)
            self._check_current(name, bundles, server.site, is_good_night)

    def _check_kept(self, name, bundles):
        for key, bundle in bundles.items():
            words, pictures = self.ever.setdefault((name, key), (set(), set()))
            has_words, has_pictures = bundle.everything
            lost = (words - has_words) | (pictures - has_pictures)
            if lost and not self._may_go(bundle, words):
                self.find(f"{name} {key}: in neither bundle nor version any more: {sorted(lost)}")
            self.ever[name, key] = (has_words, has_pictures)
        for (source, key), (words, pictures) in self.ever.items():
            if source == name and key not in bundles and (words or pictures):
                self.find(f"{name} {key}: its bundle is gone", once=("gone", name, key))

    @staticmethod
    def _may_go(bundle, words):
        """Whether content may be lost: the bundle has as many versions as are kept, each with content of its own."""
        if len(bundle.versions) < KEPT_VERSIONS:
            return False
        states = [bundle.current, *bundle.versions]
        contents = [(frozenset(state.words), frozenset(state.pictures)) for state in states]
        return len(set(contents)) == len(contents) or len(set(contents[1:])) == len(contents) - 1

    def _check_current(self, name, bundles, site, is_good_night):
        wanted = site.wanted()
        for key, (words, pictures) in wanted.items():
            bundle = bundles.get(key)
            lacks = (words | pictures) if bundle is None else (
                (words - bundle.current.words) | (pictures - bundle.current.pictures))
            if not lacks:
                self.waiting.pop((name, key), None)
            elif is_good_night or (name, key) not in self.waiting:
                nights = self.waiting.get((name, key), -1) + 1
                self.waiting[name, key] = nights
                if nights > PATIENCE:
                    where = "not archived" if bundle is None else "not as it is at the source"
                    self.find(f"{name} {key}: {where} after {nights} nights: {sorted(lacks)}",
                              once=("late", name, key, tuple(sorted(lacks))))
        for place in [place for place in self.waiting if place[0] == name and place[1] not in wanted]:
            del self.waiting[place]

    def is_settled(self):
        return not self.waiting
