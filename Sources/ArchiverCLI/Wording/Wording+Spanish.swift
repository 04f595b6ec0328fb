extension Wording {
  static let spanish = Wording(
    language: "es",
    phrases: [
      .item: "%1 elemento", .items: "%1 elementos", .picture: "%1 imagen", .pictures: "%1 imágenes",
      .listing: "listando: %1", .ofTotal: "%1 de %2", .progress: "%1/%2 elementos",
      .timeLeft: "quedan unos %1", .failedCount: "%1 con error", .missingCount: "faltan: %1",
      .more: "y %1 más",
      .archived: "Archivado: %1 en %2%3.", .nothingNew: "Nada nuevo%1 (%2).",
      .unchanged: "; %1 sin cambios",
      .pictureLacking: "No se pudo obtener %1 imagen; la página muestra dónde estaba y la enlaza.",
      .picturesLacking:
        "No se pudieron obtener %1 imágenes; las páginas muestran dónde estaban y las enlazan.",
      .notReady: "Aún no listo en la fuente: %1.",
      .waitsOne: "1 más espera a la próxima ejecución.",
      .waitsMany: "%1 más esperan a la próxima ejecución.",
      .expired: "%1: se quitaron %2, como pide la configuración.",
      .wouldArchive: "Se archivarían %1; no se escribió nada.",
      .laterOne: "1 más espera a ejecuciones posteriores.",
      .laterMany: "%1 más esperan a ejecuciones posteriores.",
      .left: "%1: salieron %2 del archivo para respetar su tamaño.",
      .held: "%1: sin espacio para %2; vea 'archiver list --status not-cached'.",
      .failedItems: "%1: %2 con error; vea 'archiver list --failed'.",
      .interrupted: "Interrumpido; se conserva todo lo terminado hasta ahora.",
      .archive: "Archivo: %1", .source: "fuente", .state: "estado", .size: "tamaño",
      .aMonth: "al mes", .lastRun: "última", .nextRun: "próxima",
      .ok: "bien", .someFail: "algunos fallan", .failed: "la fuente falla",
      .running: "en curso", .notRun: "aún sin ejecutar", .disabled: "desactivada",
      .stopped: "interrumpida", .died: "terminó antes", .ago: "hace %1", .ahead: "en %1",
      .justNow: "ahora mismo", .now: "ahora", .never: "nunca",
      .noSchedule: "No hay ejecuciones programadas. Pruebe: archiver schedule install --at 03:30",
    ])
}
