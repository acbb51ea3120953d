/** The service's sequence numbers have 56 digits. Ours are `49`, the sequence in 44 digits, and the shard in 10. So they
 *  all have the same length, sort as text in numeric order, and differ between shards. */
export function sequenceNumberOf(shard: number, sequence: bigint): string {
  return `49${sequence.toString().padStart(44, '0')}${shard.toString().padStart(10, '0')}`
}

export interface SequenceNumber {
  readonly shard: number
  readonly sequence: bigint
}

/** Undefined for a number that is none of ours. */
export function readSequenceNumber(text: string): SequenceNumber | undefined {
  if (!/^49\d{54}$/.test(text)) return undefined
  const sequence = BigInt(text.slice(2, 46))
  return sequence >= 2n ** 64n ? undefined : { sequence, shard: Number(text.slice(46)) }
}
