/** For each byte: its lower-case form if it may stand in a method or field name (RFC 9110, token), else 0. */
export const tokenBytes: Uint8Array = tokenTable()

/** For each byte: 1 if it may stand within a header line (visible, space, tab, and the obsolete upper half). */
export const lineBytes: Uint8Array = lineTable()

function tokenTable(): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz") {
    table[character.charCodeAt(0)] = character.charCodeAt(0)
    const upper = character.toUpperCase().charCodeAt(0)
    table[upper] = character.charCodeAt(0)
  }
  return table
}

function lineTable(): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(1, 0x20)
  table[0x7f] = 0
  table[0x09] = 1
  return table
}
