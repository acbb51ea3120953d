import { validationException } from '@hashrange/core'

/** The service's sequence numbers have 21 to 40 digits. Ours are the log's sequences, which have at most 20, after a
 *  leading 1. So all of them have 21 digits, and sort as text in numeric order. */
const offset = 10n ** 20n
const largest = 2n ** 64n - 1n

export function sequenceNumberOf(sequence: bigint): string {
  return (offset + sequence).toString()
}

/** The nearest possible sequence: for numbers below or above all others, the caller decides what that means for a
 *  shard. */
export function readSequenceNumber(sequenceNumber: string): bigint {
  if (!/^\d{21,40}$/.test(sequenceNumber)) throw validationException('Invalid SequenceNumber')
  const sequence = BigInt(sequenceNumber) - offset
  if (sequence < 0n) return 0n
  return sequence > largest ? largest : sequence
}
