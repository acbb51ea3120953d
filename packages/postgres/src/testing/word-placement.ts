import type { KeyPlacement } from '@hashrange/engine'

/** The contract's keys are words: their first letter places them, `n` counts, what begins with `c` is kept
 *  apart, and what begins with `v` is copied. */
export const wordPlacement: KeyPlacement = {
  shardBits: (key) => ((key[0] ?? 0) * 0x9e37) & 0xffff,
  placedBytes: () => 1,
  isOrdered: () => false,
  isCounter: (key) => key.length === 1 && key[0] === 0x6e,
  isKept: (key) => key[0] === 0x63,
  keptRange: { from: Buffer.from('c'), to: Buffer.from('d') },
  isScattered: (key) => key[0] === 0x6e,
  copiedRange: { from: Buffer.from('v'), to: Buffer.from('w') },
  counterRanges: [{ from: Buffer.from('n'), to: Buffer.from('n\0') }],
}
