import type { ModelCost } from './model-cost.ts'

/** The difference a change makes, in dollars a month. */
export interface CostComparison {
  readonly before: string
  readonly after: string
  readonly rows: readonly CostDifference[]
  readonly total: { readonly onDemand: CostChange; readonly provisioned: CostChange }
}

export interface CostDifference {
  readonly kind: 'pattern' | 'storage'
  readonly name: string
  readonly onDemand: CostChange
  readonly provisioned: CostChange
}

/** Zero on a side where there is no such thing. */
export interface CostChange {
  readonly before: number
  readonly after: number
  readonly difference: number
}

export function compareCosts(before: ModelCost, after: ModelCost): CostComparison {
  const patternNames = new Set([...before.patterns, ...after.patterns].map(({ pattern }) => pattern))
  const placeNames = new Set([...before.storage, ...after.storage].map(placeName))
  const patterns = [...patternNames].map((name): CostDifference => {
    const [was, is] = [before, after].map(({ patterns: all }) => all.find(({ pattern }) => pattern === name))
    return {
      kind: 'pattern',
      name,
      onDemand: change(was?.onDemand, is?.onDemand),
      provisioned: change(was?.provisioned, is?.provisioned),
    }
  })
  const storage = [...placeNames].map((name): CostDifference => {
    const [was, is] = [before, after].map((cost) => cost.storage.find((each) => placeName(each) === name)?.dollars)
    return { kind: 'storage', name, onDemand: change(was, is), provisioned: change(was, is) }
  })
  return {
    before: before.model,
    after: after.model,
    rows: [...patterns, ...storage],
    total: {
      onDemand: change(before.onDemand.total, after.onDemand.total),
      provisioned: change(before.provisioned.total, after.provisioned.total),
    },
  }
}

function placeName({ kind, place }: ModelCost['storage'][number]): string {
  return `${kind} ${place}`
}

function change(before = 0, after = 0): CostChange {
  return { before, after, difference: after - before }
}
