/// The messages of `run`, `status`, `list`, `verify`, `doctor`, `schedule`, `config` and `login`,
/// with `%1`, `%2` and so on as placeholders.
///
/// The output for programs (`--json`), logs, errors and the help are the same in every language, as
/// are the words of the command line, such as those of `list --status`.
enum Phrase: String, Sendable, CaseIterable {
  // Nouns after a count: one and many. The units of time are separated by spaces: s, min, h, d.
  case item, items, picture, pictures, bundle, bundles, file, files, problem, problems
  case damagedItem, damagedItems, timeUnits
  // The progress display.
  case listing, ofTotal, progress, timeLeft, failedCount, missingCount, more
  // Lines during a run.
  case itemArchived, itemLacking, itemUnchanged, itemKept, itemDeferred, itemFailed, noPicture
  case again, sourceDone, warning, error, noneDue
  case plan, planNew, planChanged, planRetries, planUnchanged, planGone, planWithheld
  // The end of a run.
  case archived, nothingNew, timeUp, unchanged, pictureLacking, picturesLacking, pictureGone
  case picturesGone, pictureLater, picturesLater
  case bookWithoutFile, booksWithoutFile, wholeListed, notInLibrary, partsUnreached,
    notReady
  case waitsOne, waitsMany, remadeOne, remadeMany, notRemade, notRemadeMore, goneRemoved, expired
  case left, held, wouldArchive,
    laterOne, laterMany,
    wouldRemove, failedItems, interrupted, unknownID
  case heldBack, vanished, vanishedRefused, diedBefore, oneStillFails, manyStillFail
  // The status of a source.
  case archive, source, state, size, aMonth, lastRun, nextRun
  case ok, someFail, failed, running, notRun, disabled, stopped, died
  case ago, ahead, justNow, now, never, noSchedule, scheduledElsewhere
  case emptyArchive, waiting, itemFailing, runOutcome, sourceFailed, sourceFailedSince, runDied,
    okButIncomplete, runIncomplete, oneFails, manyFail, sharedNoMore, lastSuccessWas
  case deletedThere, deletionsHeld, heldOne, heldMany, queuedForNext, notWritten, notWrittenWhy
  // The times of runs.
  case runs, daily, every, everyByWatch, and
  case installed, noSourceYet, noRuns, alsoRuns, removed, theTimer, theCrontab
  // Whether commands are sandboxed.
  case sandboxOn, sandboxPartly, sandboxOff, sandboxDeclined, sandboxMissing, sandboxNotify,
    sandboxProgram,
    sandboxSecret
  // Lists of items.
  case archivedOn, status, id, picturesHeading, title, attempts, nextAttempt, titleAndReason
  case pinned, gone, withheld, gaveUp, inNextRun, nothingFailed, nothingHeld, nothingDeleted,
    itemLeftOut, leftOut,
    nothingIs, nothingKnown
  // Verification.
  case lacksEssential, lackEssential, couldNotBeArchived, libraryUnfinished,
    libraryInterrupted, unusedFiles, onDisk
  case noProblem, problemsFound, tryRepair, tryRepairCatalog, share, missingFile, extraFile,
    changedFile,
    noChecksums, noRecord,
    notInCatalog, bundleMissing, catalogMismatch, objectMissing, objectDamaged, objectUnused,
    brokenLink
  case notConfiguredForRepair, fetchedAgain
  // Configuration and logins.
  case configWritten, configHint, reached, namesItems, noItems
  case consent, consentWait, pasteToken, loggedIn, loggedInWith
  // The subjects that `doctor` checks.
  case ofProgram, ofLibraries, ofConfiguration, ofLogins, ofArchive, ofBrowser, ofClock, ofCatalog,
    ofSchedule
  case mendConfiguration, foreignLogin, openLogin, removeLogin, closeLogin, shadowed, pdfUnread,
    comicsUnread, installComicLibrary, booksUnread, djvuUnread, installBookProgram,
    installDjVuPrograms, installPDFLibrary, pdfUnsearched, installPDFProgram, renameProgram
  case noBrowser, useBrowser, noFile, mendWarning, noSource, seeSources, mendProgram
  case archiveLost, mountArchive
  case notWritable, allowWriting, takeOver, foreignFolder, openArchive, closeArchive,
    madeByFirstRun, free, makeRoom
  case cannotWriteThere, cannotLock, cannotRename, cannotMap, cannotExchange, cannotLink
  case useOtherDisk, otherDiskHelps
  case badHosts, writeHosts, noServer, answers, tryServer, clockAhead, clockBehind, setClock
  case verifyCatalog, unreachedSince, checkConfig, unscheduled, scheduleRuns
  case scheduledForOthers, showSchedule, noMail, onlyJournal, scheduleNotifies, onlyLoggedIn
  case enableLinger
}
