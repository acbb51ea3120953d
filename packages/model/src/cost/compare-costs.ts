import type { ModelCost } from './model-cost.ts'

/** The difference a change makes, in dollars a month. */
export interface CostComparison {
  readonly before: string
  readonly after: string
  readonly rows: readonly CostDifference[]
  /** Of what is known on both sides. */
  readonly total: { readonly onDemand: CostChange; readonly provisioned: CostChange }
  /** Patterns that could not be run in one of the models: what they cost there is not zero, but unknown. */
  readonly notCompared: readonly string[]
}

export interface CostDifference {
  readonly kind: 'pattern' | 'storage' | 'other'
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
  const notCompared = [...patternNames].filter((name) =>
    [before, after].some(({ patterns: all }) => all.some(({ pattern, isKnown }) => pattern === name && !isKnown)),
  )
  const unknown = new Set(notCompared)
  const compared = [...patternNames].filter((name) => !unknown.has(name))
  const patterns = compared.map((name): CostDifference => {
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
  const otherNames = new Set([...before.others, ...after.others].map(({ name }) => name))
  const others = [...otherNames].map((name): CostDifference => {
    const [was, is] = [before, after].map((cost) => cost.others.find((each) => each.name === name))
    return {
      kind: 'other',
      name,
      onDemand: change(was?.onDemand, is?.onDemand),
      provisioned: change(was?.provisioned, is?.provisioned),
    }
  })
  return {
    before: before.model,
    after: after.model,
    rows: [...patterns, ...storage, ...others],
    total: {
      onDemand: change(totalOf(before, 'onDemand', unknown), totalOf(after, 'onDemand', unknown)),
      provisioned: change(totalOf(before, 'provisioned', unknown), totalOf(after, 'provisioned', unknown)),
    },
    notCompared,
  }
}

function totalOf(cost: ModelCost, way: 'onDemand' | 'provisioned', without: ReadonlySet<string>): number {
  const left = cost.patterns.reduce((sum, each) => sum + (without.has(each.pattern) ? each[way] : 0), 0)
  return cost[way].total - left
}

function placeName({ kind, place }: ModelCost['storage'][number]): string {
  return `${kind} ${place}`
}

function change(before = 0, after = 0): CostChange {
  return { before, after, difference: after - before }
}
