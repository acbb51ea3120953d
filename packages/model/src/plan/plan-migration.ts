import type { ModelDescription } from '../description.ts'
import { compareEntities } from './compare-entities.ts'
import { compareTables } from './compare-tables.ts'
import { phases, type Difference, type DifferenceKind, type Phase, type Work } from './difference.ts'
import { ItemCosts, type StepCost } from './item-costs.ts'

export interface PlanOptions {
  /** Write units a second that the work may use. */
  readonly unitsPerSecond?: number | undefined
  /** US dollars for a million units, on demand. */
  readonly prices?: { readonly perMillionReadUnits: number; readonly perMillionWriteUnits: number } | undefined
}

/** How to get from one version of a model to the next. */
export interface MigrationPlan {
  readonly from: string
  readonly to: string
  /** The worst of its differences. */
  readonly kind: DifferenceKind
  readonly differences: readonly Difference[]
  readonly steps: readonly Step[]
  readonly cost: StepCost
  readonly unitsPerSecond: number
}

export interface Step {
  readonly phase: Phase
  readonly action: string
  /** The differences that need it. */
  readonly because: readonly string[]
  readonly reason: string
  readonly check: string
  readonly wayBack: string
  /** Undefined if nothing is read or written. */
  readonly cost: StepCost | undefined
}

const kinds: readonly DifferenceKind[] = ['compatible', 'backfill', 'rewrite', 'unsafe']
const defaultUnitsPerSecond = 500

/** Compares two versions of a model, and orders what must be done while the table is in use. */
export function planMigration(
  before: ModelDescription,
  after: ModelDescription,
  options: PlanOptions = {},
): MigrationPlan {
  const unitsPerSecond = options.unitsPerSecond ?? defaultUnitsPerSecond
  const costs = new ItemCosts(before, after, unitsPerSecond, options.prices)
  const differences = [...compareTables(before, after), ...compareEntities(before, after)].toSorted(
    (a, b) => kinds.indexOf(b.kind) - kinds.indexOf(a.kind),
  )
  const steps = stepsOf(differences, costs)
  return {
    from: before.name,
    to: after.name,
    kind: differences[0]?.kind ?? 'compatible',
    differences,
    steps,
    cost: costs.sum(steps.flatMap(({ cost }) => cost ?? [])),
    unitsPerSecond,
  }
}

/** Each kind of work once, in the order in which changes go live. */
function stepsOf(differences: readonly Difference[], costs: ItemCosts): readonly Step[] {
  const steps = new Map<string, Step & { readonly work: Work }>()
  for (const { what, reason, work } of differences) {
    for (const each of work) {
      const id = `${each.phase} ${each.action}`
      const known = steps.get(id)
      const because = [...new Set([...(known?.because ?? []), what])]
      const own = each.items === undefined ? undefined : costs.of(each.items)
      // What one step does for several differences is done once for each item.
      const cost = (own?.seconds ?? -1) > (known?.cost?.seconds ?? -1) ? own : known?.cost
      const { phase, action, check, wayBack } = each
      steps.set(id, { phase, action, because, reason: known?.reason ?? reason, check, wayBack, cost, work: each })
    }
  }
  return [...steps.values()]
    .map(({ work: _work, ...step }) => step)
    .toSorted((a, b) => phases.indexOf(a.phase) - phases.indexOf(b.phase))
}
