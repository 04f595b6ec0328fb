extension DemoArticle {
  static let patientLighthouse = DemoArticle(
    url: "https://cuadernodecosta.example/el-faro-que-aprendio-a-esperar",
    title: "El faro que aprendió a esperar", siteName: "Cuaderno de costa",
    authors: ["Inés Villalba"], language: "es", published: "2025-07-19",
    saved: "2025-08-03T12:25:18Z", labels: ["español", "mar"], readProgress: 20,
    summary: "Sobre un faro sin barcos, una farera jubilada y la costumbre de encender la luz.",
    cover: "lighthouse",
    html: """
      <section><article>
      <p>En el cabo de la Espera hay un faro que ya no guía a nadie. Los barcos grandes pasan lejos,
      con sus satélites, y los pequeños conocen la costa mejor que su propia cocina. Y sin embargo,
      cada tarde, cuando el sol toca el agua, la luz se enciende.</p>
      \(figure("lighthouse", "Un faro de franjas rojas y blancas al anochecer, con olas violetas", "El cabo a las nueve y cuarto de una tarde de julio."))
      <p>La enciende Amparo, que fue farera durante treinta y un años y lleva doce jubilada. Nadie se
      lo ha pedido; nadie, tampoco, se ha atrevido a quitarle la llave. «Un faro no es para los
      barcos», me dijo la primera vez que subí, mientras limpiaba la lente con un paño que había
      sido camisa. «Un faro es para que la noche sepa dónde está».</p>
      <h2>El libro de guardia</h2>
      <p>En la mesa, junto a la ventana, está el cuaderno. Antes había que anotar el viento, la mar,
      la visibilidad y los buques avistados. Amparo sigue rellenando las columnas, aunque con los
      años la última se ha vuelto más generosa:</p>
      <ul>
      <li><em>12 de marzo.</em> Levante fuerza cinco. Mar gruesa. Un zorro.</li>
      <li><em>3 de abril.</em> Calma. Visibilidad excelente. Se ven las montañas de enfrente y la
      ropa tendida de los Ferrer.</li>
      <li><em>29 de junio.</em> Poniente flojo. Dos chicos que no querían volver a casa. Les hice
      tortilla.</li>
      </ul>
      <h2>Lo que se aprende esperando</h2>
      <p>Le pregunté si no se aburría. Tardó en contestar; la luz dio cuatro vueltas enteras. «Al
      principio se espera algo», dijo. «Una carta, el relevo, que amaine. Después se espera y ya
      está. Es como el mar: no va a ninguna parte y no para nunca».</p>
      <p>Bajé de noche, con la linterna apagada, porque no hacía falta. Cada nueve segundos el camino
      entero aparecía ante mí, con sus piedras y sus tomillos, y volvía a desaparecer. Me sorprendí
      caminando a ese ritmo: nueve segundos de paso, un instante de mirar.</p>
      <p>En el cuaderno de aquel día, lo supe mucho más tarde, hay una línea que dice: «19 de julio.
      Calma. Una señorita que hace preguntas. Bajó bien».</p>
      </article></section>
      """)

  static let timetable = DemoArticle(
    url: "https://nebenstrecke.example/der-fahrplan-im-kopf",
    title: "Der Fahrplan im Kopf", siteName: "Nebenstrecke", authors: ["Henrike Voß"],
    language: "de", published: "2025-12-07", saved: "2025-12-18T16:48:27Z",
    labels: ["deutsch", "railways"], readProgress: 100,
    summary: "Ein Besuch bei einem Mann, der vierzig Jahre lang wusste, wann die Züge fahren.",
    cover: "viaduct",
    html: """
      <section><article>
      <p>Wer wissen will, wann am 4. Mai 1983 der letzte Zug von Oberkirchbach nach Süßenmühle fuhr,
      muss nicht ins Archiv. Er muss nur an einer grünen Tür klingeln, sich die Schuhe abputzen und
      eine Tasse Malzkaffee annehmen. «21 Uhr 47», sagt Alfons Brünnlein dann, ohne aufzusehen. «Aber
      er hatte Verspätung. Wegen der Schafe.»</p>
      \(figure("viaduct", "Ein Dampfzug auf einem langen Viadukt mit runden Bögen", "Der Viadukt bei Süßenmühle. Der Zug fährt nicht mehr, die Schafe schon."))
      <h2>Eine Landschaft aus Minuten</h2>
      <p>Brünnlein war Fahrdienstleiter, und er hat nie versucht, einen Fahrplan auswendig zu lernen.
      «Das ist wie mit einem Lied», meint er. «Man übt nicht die Noten, man hört es jeden Tag.» In
      seinem Kopf liegt die Strecke vor ihm wie ein Tal am Morgen: hier die Kreuzung in Hinterzell,
      wo der Gegenzug vier Minuten warten muss, dort die lange Steigung, auf der die schweren
      Güterzüge die Zeit verlieren, die sie dann bis zum Abend nicht mehr finden.</p>
      <table><thead><tr><th>Bahnhof</th><th>an</th><th>ab</th><th>Bemerkung</th></tr></thead><tbody>
      <tr><td>Oberkirchbach</td><td></td><td>21.12</td><td>Anschluss vom Eilzug abwarten</td></tr>
      <tr><td>Hinterzell</td><td>21.24</td><td>21.28</td><td>Kreuzung mit 4471</td></tr>
      <tr><td>Quellenau</td><td>21.35</td><td>21.36</td><td>hält nur bei Bedarf</td></tr>
      <tr><td>Süßenmühle</td><td>21.47</td><td></td><td>Endstation</td></tr></tbody></table>
      <h2>Was bleibt</h2>
      <p>Seit 1994 liegen auf der Trasse ein Radweg und an guten Tagen sehr viele Brombeeren. Das
      Stellwerk hat jemand gekauft, der darin Honig verkauft. Brünnlein geht trotzdem jeden Abend um
      Viertel vor zehn ans Fenster. Er wartet nicht, das ist ihm wichtig. Er sieht nur nach, ob es
      stimmt.</p>
      <p>«Und?», frage ich beim Abschied. Er schaut auf die Uhr, dann hinaus in die Dunkelheit, wo
      nichts zu hören ist als der Bach. «Pünktlich», sagt er.</p>
      </article></section>
      """)
}
