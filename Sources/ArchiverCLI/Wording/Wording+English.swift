extension Wording {
  static let english = Wording(
    language: "en",
    phrases: [
      .item: "%1 item", .items: "%1 items", .picture: "%1 picture", .pictures: "%1 pictures",
      .listing: "listing: %1", .ofTotal: "%1 of %2", .progress: "%1/%2 items",
      .timeLeft: "about %1 left", .failedCount: "%1 failed", .missingCount: "%1 missing",
      .more: "and %1 more",
      .archived: "Archived %1 in %2%3.", .nothingNew: "Nothing new%1 (%2).",
      .unchanged: "; %1 unchanged",
      .pictureLacking: "%1 picture could not be had; the page shows where it was and links to it.",
      .picturesLacking:
        "%1 pictures could not be had; the pages show where they were and link to them.",
      .notReady: "%1 not ready at the source yet.", .waitsOne: "1 more waits for the next run.",
      .waitsMany: "%1 more wait for the next run.",
      .expired: "%1: %2 removed, as its configuration asks for.",
      .wouldArchive: "Would archive %1; nothing was written.",
      .laterOne: "1 more waits for later runs.",
      .laterMany: "%1 more wait for later runs.",
      .left: "%1: %2 left the archive to keep within its size.",
      .held: "%1: no room for %2; see 'archiver list --status not-cached'.",
      .failedItems: "%1: %2 failed; see 'archiver list --failed'.",
      .interrupted: "Interrupted; everything finished so far is kept.",
      .archive: "Archive: %1", .source: "source", .state: "state", .size: "size",
      .aMonth: "a month", .lastRun: "last run", .nextRun: "next run",
      .ok: "ok", .someFail: "some items fail", .failed: "source failed", .running: "running",
      .notRun: "not run yet", .disabled: "not enabled", .stopped: "interrupted",
      .died: "ended early", .ago: "%1 ago", .ahead: "in %1", .justNow: "just now", .now: "now",
      .never: "never",
      .noSchedule: "No runs are scheduled. Try: archiver schedule install --at 03:30",
    ])
}
