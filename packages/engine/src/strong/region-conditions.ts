import type { Value } from '../store/store.ts'

/** What is wrong with a region, on purpose. ON DISK as JSON. */
export interface RegionCondition {
  /** Whether no changes go to it or come from it. */
  readonly isIsolated?: boolean | undefined
  /** Whether requests to it fail; it is cut off as well. */
  readonly isDown?: boolean | undefined
  /** How late changes go to it and come from it. */
  readonly lagMs?: number | undefined
}

/** The regions with which something is wrong. */
export type RegionConditions = Readonly<Record<string, RegionCondition>>

export function parseConditions(value: Value | undefined): RegionConditions {
  if (value === undefined) return {}
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by us.
  return JSON.parse(value.toString('utf8')) as RegionConditions
}

/** Whether a region reaches no other. */
export function isCutOff(condition: RegionCondition | undefined): boolean {
  return condition?.isIsolated === true || condition?.isDown === true
}
