import { createHash, hash as hashOnce } from 'node:crypto'

/** How many bytes of hash stand for a partition key: enough that nobody can find two keys with the same hash. */
export const partitionHashBytes = 16

/** The first 16 bytes of SHA-256, one byte per character. ON DISK: the hash determines the order of Scan and the
 *  segments of a parallel Scan; a change here needs a new format version. */
export function partitionHash(bytes: string | Uint8Array): string {
  if (typeof bytes !== 'string' || bytes.length > longestKept) return digest(bytes)
  const kept = keptHashes.get(bytes)
  if (kept !== undefined) return kept
  const hash = digest(bytes)
  if (keptHashes.size === mostKept) keptHashes.clear()
  keptHashes.set(copyOf(bytes), hash)
  return hash
}

/** Some partitions are used again and again, and looking up a hash takes a tenth of the time of computing it. */
const keptHashes = new Map<string, string>()
const mostKept = 4_096
const longestKept = 128

/** A string that is a slice of a longer one, such as a key from a line of an imported file, keeps all of it in
 *  memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}

const digest: (bytes: string | Uint8Array) => string =
  // One-shot hashing came with Node.js 20.12 and is twice as fast. A `binary` string is the cheapest to make.
  typeof hashOnce === 'function'
    ? (bytes) => hashOnce('sha256', bytes, 'binary').slice(0, partitionHashBytes)
    : (bytes) => createHash('sha256').update(bytes).digest('binary').slice(0, partitionHashBytes)
