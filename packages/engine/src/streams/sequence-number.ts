import { validationException } from '@hashrange/core'

/** The service's sequence numbers have 21 to 40 digits: ours are the log's sequences, which have at most 20, behind a 1.
 *  So they all have 21, and their order as text is their order as numbers. */
const offset = 10n ** 20n
const largest = 2n ** 64n - 1n

export function sequenceNumberOf(sequence: bigint): string {
  return (offset + sequence).toString()
}

/** The nearest sequence there can be: whoever asks for a number below or above all is told what that means for a shard. */
export function readSequenceNumber(sequenceNumber: string): bigint {
  if (!/^\d{21,40}$/.test(sequenceNumber)) throw validationException('Invalid SequenceNumber')
  const sequence = BigInt(sequenceNumber) - offset
  if (sequence < 0n) return 0n
  return sequence > largest ? largest : sequence
}
