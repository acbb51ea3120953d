const encoder = new TextEncoder()

/** The shard of a value: FNV-1a (32 bits) over its UTF-8 bytes as a key would show it, modulo `count`. Stored keys depend
 *  on it, so it never changes; other languages compute it in five lines. */
export function shardOf(text: string, count: number): number {
  let hash = 0x811c9dc5
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0) % count
}
