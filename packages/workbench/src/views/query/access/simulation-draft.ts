import type { AskedOperation } from '../../../api/api.ts'
import type { Simulation } from '../../../api/decisions.ts'

/** What the simulator is asked, as it is typed. */
export interface SimulationDraft {
  readonly whose: 'principal' | 'policy'
  readonly principalArn: string
  readonly policy: string
  readonly about: 'request' | 'actions'
  readonly actions: string
  readonly resources: string
  readonly context: readonly ContextRow[]
}

export interface ContextRow {
  readonly key: string
  /** Separated by commas. */
  readonly values: string
}

export function readSimulation(draft: SimulationDraft, request: AskedOperation | undefined): Simulation {
  return {
    ...(draft.whose === 'principal' && { principalArn: draft.principalArn.trim() }),
    policies: draft.whose === 'policy' ? [draft.policy] : [],
    context: contextOf(draft.context),
    asked:
      draft.about === 'request'
        ? { operation: request?.operation ?? '', input: request?.input ?? {} }
        : { actions: linesOf(draft.actions), resources: linesOf(draft.resources) },
  }
}

export function isComplete(draft: SimulationDraft, request: AskedOperation | undefined): boolean {
  const hasPolicies = draft.whose === 'principal' ? draft.principalArn.trim() !== '' : draft.policy.trim() !== ''
  const hasQuestion =
    draft.about === 'request'
      ? request !== undefined
      : linesOf(draft.actions).length > 0 && linesOf(draft.resources).length > 0
  return hasPolicies && hasQuestion
}

/** A key is anything that somebody types, `__proto__` too. */
export function contextOf(rows: readonly ContextRow[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    rows
      .filter(({ key }) => key.trim() !== '')
      .map(({ key, values }) => [key.trim(), values.split(',').map((value) => value.trim())]),
  )
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
