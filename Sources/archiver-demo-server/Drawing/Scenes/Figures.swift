/// Line drawings with words in them, as SVG.
enum Figures {
  static let forces = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 360" width="800" height="360" \
    font-family="Georgia, serif" font-size="17">
    <title>Where a beam, an arch and a cable carry their load</title>
    <rect width="800" height="360" fill="#f6efe0"/>
    <g fill="none" stroke="#2b3a4a" stroke-width="9" stroke-linecap="round">
    <path d="M50 150H250"/><path d="M300 230C340 90 460 90 500 230"/><path d="M550 90C600 260 700 260 750 90"/>
    </g>
    <g stroke="#c4513a" stroke-width="4" fill="#c4513a">
    <path d="M150 60v68"/><path d="M142 122h16l-8 18z"/>
    <path d="M400 40v62"/><path d="M392 98h16l-8 18z"/>
    <path d="M650 130v66"/><path d="M642 192h16l-8 18z"/>
    </g>
    <g stroke="#4f7f83" stroke-width="4" fill="#4f7f83">
    <path d="M60 240v-62"/><path d="M52 182h16l-8-18z"/><path d="M240 240v-62"/><path d="M232 182h16l-8-18z"/>
    <path d="M274 262l20-18"/><path d="M526 262l-20-18"/>
    <path d="M530 62l16 20"/><path d="M770 62l-16 20"/>
    </g>
    <g fill="#2b3a4a" text-anchor="middle">
    <text x="150" y="300" font-weight="bold">Beam</text><text x="150" y="326">bends: both at once</text>
    <text x="400" y="300" font-weight="bold">Arch</text><text x="400" y="326">everything is pushed</text>
    <text x="650" y="300" font-weight="bold">Cable</text><text x="650" y="326">everything is pulled</text>
    </g>
    </svg>
    """

  /// Bars of millimetres by month.
  static var rainfall: String {
    let values = [71, 52, 58, 44, 63, 79, 86, 74, 49, 91, 88, 77]
    let names = ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]
    var bars = ""
    for (index, value) in values.enumerated() {
      let x = 70 + index * 59
      let height = value * 3
      bars += "<rect x=\"\(x)\" y=\"\(340 - height)\" width=\"38\" height=\"\(height)\" rx=\"4\"/>"
      bars +=
        "<text x=\"\(x + 19)\" y=\"\(330 - height)\" fill=\"#5b4a3a\" font-size=\"14\">\(value)</text>"
      bars += "<text x=\"\(x + 19)\" y=\"366\" fill=\"#5b4a3a\">\(names[index])</text>\n"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 400" width="800" height="400" \
      font-family="Georgia, serif" font-size="17" text-anchor="middle">
      <title>Rain on one windowsill, millimetres a month</title>
      <rect width="800" height="400" fill="#faf3e6"/>
      <path d="M60 340H770M60 190H770M60 40H770" stroke="#d8c9ae"/>
      <g fill="#3e7c8f">\(bars)</g>
      <text x="40" y="196" fill="#8a7860" font-size="13">50</text>
      <text x="40" y="46" fill="#8a7860" font-size="13">100</text>
      </svg>
      """
  }
}
