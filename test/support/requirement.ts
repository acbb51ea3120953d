import { describe, test } from 'vitest'

/** Something outside npm that a suite needs, such as a program. */
export interface Requirement {
  readonly met: boolean
  /** What is missing and how to get it. */
  readonly reason: string
}

/** A suite that needs something which a machine may lack. Where it is missing, one skipped test stands in for the suite, so
 *  that the suite is counted and named at the end of the run instead of silently not being there. */
export function describeIf(requirement: Requirement, name: string, suite: () => void): void {
  if (requirement.met) describe(name, suite)
  else describe(name, () => test('the whole suite', (context) => context.skip(requirement.reason)))
}
