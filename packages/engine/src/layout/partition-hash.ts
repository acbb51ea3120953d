import { createHash, hash as hashOnce } from 'node:crypto'

/** Bytes of hash that stand for a partition key: long enough that nobody finds two keys with one hash. */
export const partitionHashBytes = 16

/** The first 16 bytes of SHA-256, one byte a character. ON DISK: the hash gives Scan its order and parallel Scan its
 *  segments; a change here needs a new format version. */
export function partitionHash(bytes: string | Uint8Array): string {
  if (typeof bytes !== 'string' || bytes.length > longestKept) return digest(bytes)
  const kept = keptHashes.get(bytes)
  if (kept !== undefined) return kept
  const hash = digest(bytes)
  if (keptHashes.size === mostKept) keptHashes.clear()
  keptHashes.set(copyOf(bytes), hash)
  return hash
}

/** Some partitions are asked for again and again, and looking a hash up takes a tenth of the time of making it. */
const keptHashes = new Map<string, string>()
const mostKept = 4_096
const longestKept = 128

/** A string that was cut from a longer one, as a key from the line of a file that is imported, keeps all of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}

const digest: (bytes: string | Uint8Array) => string =
  // One-shot hashing came with Node.js 20.12 and is twice as fast. A `binary` string is the cheapest to make.
  typeof hashOnce === 'function'
    ? (bytes) => hashOnce('sha256', bytes, 'binary').slice(0, partitionHashBytes)
    : (bytes) => createHash('sha256').update(bytes).digest('binary').slice(0, partitionHashBytes)
