import type { Value } from '../store/store.ts'

/** What a branch holds under a key: a value or nothing, and whether it was written there or kept when the data changed.
 *  ON DISK: one byte, then the value. */
export interface BranchValue {
  readonly value: Value | undefined
  readonly isWritten: boolean
}

const codes = { keptNothing: 0, keptValue: 1, writtenNothing: 2, writtenValue: 3 } as const

/** What the data had before it changed. */
export function keptValue(value: Value | undefined): Value {
  return value === undefined ? Buffer.of(codes.keptNothing) : withCode(codes.keptValue, value)
}

export function writtenValue(value: Value | undefined): Value {
  return value === undefined ? Buffer.of(codes.writtenNothing) : withCode(codes.writtenValue, value)
}

export function readBranchValue(stored: Value): BranchValue {
  const code = stored[0] ?? codes.keptNothing
  return {
    value: code === codes.keptValue || code === codes.writtenValue ? stored.subarray(1) : undefined,
    isWritten: code >= codes.writtenNothing,
  }
}

function withCode(code: number, value: Value): Value {
  const stored = Buffer.allocUnsafe(value.length + 1)
  stored[0] = code
  stored.set(value, 1)
  return stored
}
