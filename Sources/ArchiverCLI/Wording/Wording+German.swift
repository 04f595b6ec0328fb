extension Wording {
  static let german = Wording(
    language: "de",
    phrases: [
      .item: "%1 Eintrag", .items: "%1 Einträge", .picture: "%1 Bild", .pictures: "%1 Bilder",
      .listing: "wird aufgelistet: %1", .ofTotal: "%1 von %2", .progress: "%1/%2 Einträge",
      .timeLeft: "noch etwa %1", .failedCount: "%1 fehlgeschlagen", .missingCount: "%1 fehlend",
      .more: "und %1 weitere",
      .archived: "Archiviert: %1 in %2%3.", .nothingNew: "Nichts Neues%1 (%2).",
      .unchanged: "; %1 unverändert",
      .pictureLacking:
        "%1 Bild war nicht zu bekommen; die Seite zeigt seine Stelle und verweist darauf.",
      .picturesLacking:
        "%1 Bilder waren nicht zu bekommen; die Seiten zeigen ihre Stellen und verweisen darauf.",
      .notReady: "An der Quelle noch nicht bereit: %1.",
      .waitsOne: "1 weiterer wartet auf den nächsten Lauf.",
      .waitsMany: "%1 weitere warten auf den nächsten Lauf.",
      .expired: "%1: %2 entfernt, wie die Konfiguration es verlangt.",
      .wouldArchive: "Würde archivieren: %1; nichts wurde geschrieben.",
      .laterOne: "1 weiterer wartet auf spätere Läufe.",
      .laterMany: "%1 weitere warten auf spätere Läufe.",
      .left: "%1: %2 haben das Archiv verlassen, damit es seine Größe hält.",
      .held: "%1: kein Platz für %2; siehe 'archiver list --status not-cached'.",
      .failedItems: "%1: %2 fehlgeschlagen; siehe 'archiver list --failed'.",
      .interrupted: "Unterbrochen; alles bis hierher Fertige bleibt erhalten.",
      .archive: "Archiv: %1", .source: "Quelle", .state: "Zustand", .size: "Größe",
      .aMonth: "im Monat", .lastRun: "letzter Lauf", .nextRun: "nächster Lauf",
      .ok: "in Ordnung", .someFail: "einige schlagen fehl", .failed: "Quelle gestört",
      .running: "läuft", .notRun: "noch nie gelaufen", .disabled: "nicht eingeschaltet",
      .stopped: "unterbrochen", .died: "abgebrochen", .ago: "vor %1", .ahead: "in %1",
      .justNow: "gerade eben", .now: "jetzt", .never: "nie",
      .noSchedule: "Kein Lauf ist eingeplant. Zum Beispiel: archiver schedule install --at 03:30",
    ])
}
