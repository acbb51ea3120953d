const encoder = new TextEncoder()

/** Sixteen hexadecimal digits that stand for a text of any length: FNV-1a (64 bits) over its UTF-8 bytes. Stored keys depend on
 *  it, so it never changes. It shortens and spreads; it hides nothing, and whoever wants two texts with one hash can make them. */
export function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of encoder.encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}
