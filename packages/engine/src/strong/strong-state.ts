import type { Value } from '../store/store.ts'

/** Why a replica of a strongly consistent global table does not have everything. While it is `behind`, writes pass it
 *  by, and each notes what it has missed. While it is `joining`, writes reach it again, and what it has missed is
 *  brought to it. ON DISK as JSON. */
export interface StrongState {
  readonly is: 'behind' | 'joining'
  /** Increases with each change, so that nobody takes a later state for an earlier one. */
  readonly turn: number
}

/** Undefined if the replica has everything. */
export function parseStrongState(value: Value | undefined): StrongState | undefined {
  if (value === undefined) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
  return JSON.parse(value.toString('utf8')) as StrongState
}

export function encodeStrongState(state: StrongState): Value {
  return Buffer.from(JSON.stringify(state))
}

/** ON DISK: the key of a missed write says it all. */
export const missed: Value = Buffer.of(0)
