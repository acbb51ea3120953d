import type { BranchLayout } from '../../layout/branch-layout.ts'
import { sequenceOfKey } from '../../store/sequence.ts'

/** For tests whose keys are words: `n` counts, and `log` is a log. */
export const wordLayout: BranchLayout = {
  isBranched: (key) => (key[0] ?? 0) >= 0x61 && (key[0] ?? 0) <= 0x7a,
  isRestored: () => true,
  isCounter: (key) => (key.length === 1 && key[0] === 0x6e) || key[0] === 0xe2,
  counterRanges: [{ from: Buffer.from('n'), to: Buffer.from('n\0') }],
  sequenceOf: (key) =>
    key.length === 11 && Buffer.from(key.subarray(0, 3)).toString() === 'log' ? sequenceOfKey(key) : undefined,
  logRanges: [{ from: Buffer.from('log'), to: Buffer.from('loh'), logBytes: 3 }],
  provesDefinitions: () => false,
}
