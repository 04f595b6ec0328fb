extension DemoArticle {
  static let paperSizes = DemoArticle(
    url: "https://kitchenmathematics.example/why-a4-is-the-square-root-of-two",
    title: "Why the paper in your printer is the square root of two",
    siteName: "Kitchen Mathematics", authors: ["Odile Perrin"], published: "2026-04-18",
    saved: "2026-05-05T14:14:21Z", labels: ["mathematics", "paper"], readProgress: 100,
    summary: "One fold, one equation, and a letter from 1786.", cover: "sheets",
    html: """
      <section><article>
      <p>Take a sheet of A4, fold it across the middle, and you have A5. It is smaller, naturally; but it
      is not a different <em>shape</em>. Try it with a photograph, a playing card or a page from a legal
      pad, and the half is always squatter or lankier than the whole. The paper in your printer is the
      only rectangle in the house that can be halved for ever and stay itself.</p>
      \(figure("sheets", "A rectangle divided into halves, quarters and so on in green, ochre and red", "Each sheet has the shape of the one it was cut from. The diagonals give it away."))
      <h2>One equation</h2>
      <p>Let the sheet be <math><mi>a</mi></math> wide and <math><mi>b</mi></math> high. Fold it, and the
      half is <math><mfrac><mi>b</mi><mn>2</mn></mfrac></math> by <math><mi>a</mi></math>. To ask that
      the two have the same shape is to ask that</p>
      <p><math display="block"><mrow><mfrac><mi>b</mi><mi>a</mi></mfrac><mo>=</mo><mfrac><mi>a</mi>
      <mrow><mi>b</mi><mo>/</mo><mn>2</mn></mrow></mfrac></mrow></math></p>
      <p>Multiply out. There is only one thing it can be:</p>
      <p><math display="block"><mrow><msup><mi>b</mi><mn>2</mn></msup><mo>=</mo><mn>2</mn>
      <msup><mi>a</mi><mn>2</mn></msup><mspace width="2em"/><mtext>so</mtext><mspace width="2em"/>
      <mfrac><mi>b</mi><mi>a</mi></mfrac><mo>=</mo><msqrt><mn>2</mn></msqrt><mo>≈</mo><mn>1.41421</mn>
      </mrow></math></p>
      <p>And that number, as someone is said to have been thrown off a boat for noticing, is not a
      fraction. There is no ruler on which both sides of your A4 sheet come out even. It says 210 by 297
      on the packet, and the packet is rounding.</p>
      <h2>Where the 297 comes from</h2>
      <p>The largest sheet, A0, has an area of one square metre. So
      <math><mrow><mi>a</mi><mo>⋅</mo><mi>b</mi><mo>=</mo><mn>1</mn></mrow></math> and
      <math><mrow><mi>b</mi><mo>=</mo><msqrt><mn>2</mn></msqrt><mi>a</mi></mrow></math>, from which the
      height of the sheet with number <math><mi>n</mi></math> in metres is</p>
      <p><math display="block"><mrow><msub><mi>b</mi><mi>n</mi></msub><mo>=</mo><msup><mn>2</mn>
      <mrow><mfrac><mn>1</mn><mn>4</mn></mfrac><mo>−</mo><mfrac><mi>n</mi><mn>2</mn></mfrac></mrow>
      </msup></mrow></math></p>
      <p>Put in four and you get 0.2973. It also tells you the weight of a letter without scales: paper of
      80 grams a square metre, sixteen A4 sheets to the square metre, hence five grams a sheet. Three
      sheets and the envelope, and you are still under twenty.</p>
      <h2>A letter of 1786</h2>
      <p>The physicist Lichtenberg set this as an exercise to a student, and reports in a letter to a
      friend that he then went to his desk to look at a sheet of ordinary paper, and found to his
      delight that it had nearly that shape already. He could not find out who had decided it. “This
      form has something pleasant and distinguished about it,” he wrote, or words to that effect, and
      wondered whether the papermakers had a rule, or just a feeling.</p>
      <p>Fold a sheet tonight and look at it. I think they had a feeling.</p>
      </article></section>
      """)
}
