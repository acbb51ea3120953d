import { createHash, hash as hashOnce } from 'node:crypto'

/** Bytes of hash that stand for a partition key: long enough that nobody finds two keys with one hash. */
export const partitionHashBytes = 16

/** The first 16 bytes of SHA-256, one byte a character. ON DISK: the hash gives Scan its order and parallel Scan its
 *  segments; a change here needs a new format version. */
export const partitionHash: (bytes: string | Uint8Array) => string =
  // One-shot hashing came with Node.js 20.12 and is twice as fast. A `binary` string is the cheapest to make.
  typeof hashOnce === 'function'
    ? (bytes) => hashOnce('sha256', bytes, 'binary').slice(0, partitionHashBytes)
    : (bytes) => createHash('sha256').update(bytes).digest('binary').slice(0, partitionHashBytes)
