/// The seasons by the river, and three places farther away.
enum Landscapes {
  static let spring = Landscape(
    seed: 11, sky: [0xA9CFD9, 0xD3E6DC, 0xF6EFD8], sun: (Point(880, 170), 46, 0xFFF4C9),
    ridges: (0xA3BFC0, 0x8FB56B, 4), mist: 0xF3EFDC, river: 0x6FA8B5, trees: .rounds,
    foliage: [0x7FA65A, 0xF0C6CF, 0x9CBC6B, 0xF7E3E3, 0x6E9A5A], cloud: 0xFFFFFF, birds: true)

  static let summer = Landscape(
    seed: 11, sky: [0x3F8FBF, 0x8CC3D6, 0xE6EFD6], sun: (Point(960, 120), 54, 0xFFF2B5),
    ridges: (0x7FA6A8, 0x4F8A4B, 4), mist: 0xE3EBCF, river: 0x3F8FA8, trees: .poplars,
    foliage: [0x2F6B45, 0x3F7F4B, 0x578F4F, 0x2A5C46], cloud: 0xFFFFFF)

  static let autumn = Landscape(
    seed: 11, sky: [0xD98F5F, 0xF0BE83, 0xFBE6BF], sun: (Point(760, 260), 60, 0xFFF0C4),
    ridges: (0xB58B7A, 0xA5622F, 4), mist: 0xF8DFB5, river: 0x8A7F86, trees: .poplars,
    foliage: [0xC4572B, 0xE09A35, 0xA83F2A, 0xD97B2E, 0xEBB84B], birds: true)

  static let winter = Landscape(
    seed: 11, sky: [0x7C8FB0, 0xB5BFD0, 0xEFDDD6], sun: (Point(700, 300), 50, 0xFBEDDC),
    ridges: (0xA9B4C9, 0xE6EAF0, 4), mist: 0xF6F1EE, river: 0x5A7390, trees: .pines,
    foliage: [0x3F5566, 0x4F6776, 0x34495C])

  static let alpine = Landscape(
    seed: 42, sky: [0x4A6FA5, 0xD9A7A0, 0xFAD9A8], sun: (Point(420, 290), 48, 0xFFF1CF),
    ridges: (0x8C8FB5, 0x26354F, 4), mist: 0xF3C9A6, relief: 2, lake: 470, trees: .pines,
    foliage: [0x1D2C40, 0x22344A, 0x17253A], birds: true, snow: 0xFBF1E8)

  static let moonlit = Landscape(
    seed: 73, sky: [0x141B3C, 0x2E3768, 0x6F6796], sun: (Point(820, 170), 62, 0xF8EDCB),
    ridges: (0x4F4F86, 0x151A36, 5), mist: 0x8C82AE, lake: 520, cloud: 0x57588C)

  static let dunes = Landscape(
    seed: 90, sky: [0xE8735A, 0xF3A46B, 0xFBDD9B], sun: (Point(330, 250), 84, 0xFFF0BE),
    ridges: (0xD98A5F, 0x6B2F3F, 5), mist: 0xF7C487, relief: 1.2, birds: true)
}
