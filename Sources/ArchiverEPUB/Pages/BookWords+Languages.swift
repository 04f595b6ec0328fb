extension BookWords {
  /// Returns the text for a BCP 47 tag; English for an unsupported one.
  package static func of(_ language: String) -> BookWords {
    let base = language.lowercased().prefix { $0 != "-" }
    return all.first { $0.language.prefix { $0 != "-" } == base } ?? BookWords()
  }

  /// Every language.
  package static let all = [BookWords(), german, spanish, chinese]

  private static let german: BookWords = {
    var words = BookWords()
    words.language = "de"
    words.contents = "Inhalt"
    words.previous = "Zurück"
    words.next = "Weiter"
    words.backToBook = "Über dieses Buch"
    words.skip = "Zum Text springen"
    words.part = "Teil {}"
    words.missing = "Dieser Teil fehlt im Buch."
    words.unreadable = "Dieser Teil ließ sich nicht lesen: {}"
    words.page = "Seite {}"
    words.openPicture = "Das Bild ({}) in einem anderen Programm öffnen"
    words.fitPage = "Ganze Seite"
    words.fitWidth = "Ganze Breite"
    words.fitHeight = "Ganze Höhe"
    words.fit = "Größe der Seiten"
    words.landmarks = "Teile des Buches"
    words.ownContents = "Das Inhaltsverzeichnis des Buches selbst"
    words.pageList = "Seiten der gedruckten Ausgabe"
    words.recording =
      "Eine Aufnahme dieser Seite. Ein Leseprogramm hebt die gesprochenen Wörter hervor, diese Seite "
      + "nicht."
    words.openScan = "Das Bild dieser Seite öffnen"
    words.noWords = "Der Text dieser Seite ist nicht bekannt; sie ist ein Bild."
    words.comicPages = [
      "FrontCover": "Umschlag", "InnerCover": "Innenumschlag", "Roundup": "Rückblick",
      "Advertisement": "Werbung", "Editorial": "Redaktionelles", "Letters": "Leserbriefe",
      "Preview": "Vorschau", "BackCover": "Rückseite", "Other": "Sonstiges", "Deleted": "Gelöscht",
    ]
    return words
  }()

  private static let spanish: BookWords = {
    var words = BookWords()
    words.language = "es"
    words.contents = "Índice"
    words.previous = "Anterior"
    words.next = "Siguiente"
    words.backToBook = "Acerca de este libro"
    words.skip = "Saltar al texto"
    words.part = "Parte {}"
    words.missing = "Esta parte falta en el libro."
    words.unreadable = "Esta parte no se pudo leer: {}"
    words.page = "Página {}"
    words.openPicture = "Abrir la imagen ({}) en otro programa"
    words.fitPage = "Página entera"
    words.fitWidth = "Todo el ancho"
    words.fitHeight = "Todo el alto"
    words.fit = "Tamaño de las páginas"
    words.landmarks = "Partes del libro"
    words.ownContents = "El índice propio del libro"
    words.pageList = "Páginas del libro impreso"
    words.recording =
      "Una grabación de esta página. Un programa de lectura resalta las palabras que se oyen; esta "
      + "página no."
    words.openScan = "Abrir la imagen de esta página"
    words.noWords = "No se conoce el texto de esta página: es una imagen."
    words.comicPages = [
      "FrontCover": "Cubierta", "InnerCover": "Cubierta interior", "Roundup": "Resumen",
      "Advertisement": "Publicidad", "Editorial": "Editorial", "Letters": "Cartas de lectores",
      "Preview": "Avance", "BackCover": "Contracubierta", "Other": "Otra", "Deleted": "Eliminada",
    ]
    return words
  }()

  private static let chinese: BookWords = {
    var words = BookWords()
    words.language = "zh-Hans"
    words.contents = "目录"
    words.previous = "上一页"
    words.next = "下一页"
    words.backToBook = "关于本书"
    words.skip = "跳到正文"
    words.part = "第 {} 部分"
    words.missing = "书中缺少这一部分。"
    words.unreadable = "无法读取这一部分：{}"
    words.page = "第 {} 页"
    words.openPicture = "用其他程序打开图片（{}）"
    words.fitPage = "整页"
    words.fitWidth = "适合宽度"
    words.fitHeight = "适合高度"
    words.fit = "页面大小"
    words.landmarks = "本书各部分"
    words.ownContents = "本书自带的目录"
    words.pageList = "印刷版页码"
    words.recording = "本页的录音。阅读程序会突出显示正在朗读的词语，本页面不会。"
    words.openScan = "打开本页的图像"
    words.noWords = "本页的文字未知，它是一幅图像。"
    words.comicPages = [
      "FrontCover": "封面", "InnerCover": "内封", "Roundup": "前情提要", "Advertisement": "广告",
      "Editorial": "编者的话", "Letters": "读者来信", "Preview": "预告", "BackCover": "封底",
      "Other": "其他", "Deleted": "已删除",
    ]
    return words
  }()
}
