import { addToCounters, decodeCounters } from '../store/counters.ts'
import type { Value } from '../store/store.ts'
import { readBranchValue } from './branch-value.ts'

/** What a branch has under a key, by what the data has there and what the branch has of its own. */
export function combinedValue(ofData: Value | undefined, own: Value | undefined): Value | undefined {
  return own === undefined ? ofData : readBranchValue(own).value
}

/** A branch only has the difference of a counter. */
export function combinedCounters(ofData: Value | undefined, own: Value | undefined): Value | undefined {
  return own === undefined ? ofData : addToCounters(ofData, decodeCounters(own))
}
