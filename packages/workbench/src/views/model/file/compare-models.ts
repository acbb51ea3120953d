import type { BusiestKey, Finding } from '@hashrange/model/check'
import type { ModelCost } from '@hashrange/model/cost'
import type { CheckAnswer } from '../model-queries.ts'

/** What is known about a model. */
export interface ModelFacts {
  readonly check: CheckAnswer
  readonly cost: ModelCost
}

/** One pattern before and after a change. What it does not have on one side is undefined. */
export interface PatternChange {
  readonly pattern: string
  readonly kind: 'failing' | 'added' | 'removed' | 'changed' | 'same'
  readonly unitsBefore: number | undefined
  readonly unitsAfter: number | undefined
  readonly dollarsBefore: number | undefined
  readonly dollarsAfter: number | undefined
  /** Findings that were not there before. */
  readonly newFindings: readonly Finding[]
  /** How many are gone. */
  readonly solved: number
}

/** The busiest key of one kind of partition: what share of a partition's throughput it needs at the peak. */
export interface HeatChange {
  readonly place: string
  readonly key: string
  readonly before: number | undefined
  readonly after: number | undefined
}

export interface ModelChange {
  readonly patterns: readonly PatternChange[]
  /** Only what changes, the hottest first. */
  readonly heat: readonly HeatChange[]
  /** Findings about anything else, that were not there before. */
  readonly newFindings: readonly Finding[]
  readonly solved: number
  readonly dollarsBefore: number
  readonly dollarsAfter: number
}

const order = { failing: 0, removed: 1, added: 2, changed: 3, same: 4 } as const

/** What a change of a model does to its patterns, their units, dollars and findings: the failing ones first. */
export function compareModels(before: ModelFacts, after: ModelFacts): ModelChange {
  const names = new Set([...before.cost.patterns, ...after.cost.patterns].map(({ pattern }) => pattern))
  const patterns = [...names].map((pattern) => patternChange(pattern, before, after))
  const elsewhere = ({ where }: Finding): boolean => where.kind !== 'pattern'
  return {
    patterns: patterns.toSorted((a, b) => order[a.kind] - order[b.kind]),
    heat: heatChanges(before.check.busiestKeys ?? [], after.check.busiestKeys ?? []),
    newFindings: notIn(before.check.findings, after.check.findings).filter(elsewhere),
    solved: notIn(after.check.findings, before.check.findings).length,
    dollarsBefore: before.cost.onDemand.total,
    dollarsAfter: after.cost.onDemand.total,
  }
}

function patternChange(pattern: string, before: ModelFacts, after: ModelFacts): PatternChange {
  const [old, next] = [before, after].map(({ cost }) => cost.patterns.find((each) => each.pattern === pattern))
  const [oldFindings = [], findings = []] = [before, after].map(({ check }) =>
    check.findings.filter(({ where }) => where.kind === 'pattern' && where.name === pattern),
  )
  const newFindings = notIn(oldFindings, findings)
  const facts = {
    unitsBefore: old === undefined ? undefined : old.readUnits + old.writeUnits,
    unitsAfter: next === undefined ? undefined : next.readUnits + next.writeUnits,
    dollarsBefore: old?.onDemand,
    dollarsAfter: next?.onDemand,
  }
  const isFailing = newFindings.some(({ severity }) => severity === 'error')
  const isChanged =
    newFindings.length > 0 ||
    oldFindings.length !== findings.length ||
    facts.unitsBefore !== facts.unitsAfter ||
    facts.dollarsBefore !== facts.dollarsAfter
  const kind = isFailing
    ? 'failing'
    : next === undefined
      ? 'removed'
      : old === undefined
        ? 'added'
        : isChanged
          ? 'changed'
          : 'same'
  return { pattern, kind, ...facts, newFindings, solved: notIn(findings, oldFindings).length }
}

function heatChanges(before: readonly BusiestKey[], after: readonly BusiestKey[]): readonly HeatChange[] {
  const loads = new Map<string, HeatChange>()
  for (const each of before) {
    const { place, key } = each
    loads.set(`${place} ${key}`, { place, key, before: loadOf(each), after: undefined })
  }
  for (const each of after) {
    const { place, key } = each
    loads.set(`${place} ${key}`, { place, key, before: loads.get(`${place} ${key}`)?.before, after: loadOf(each) })
  }
  return [...loads.values()]
    .filter((each) => each.before !== each.after)
    .toSorted((a, b) => Math.max(b.after ?? 0, b.before ?? 0) - Math.max(a.after ?? 0, a.before ?? 0))
}

/** The partition is full when reads and writes together take all of it. */
function loadOf({ readUnits, writeUnits }: BusiestKey): number {
  return readUnits / 3000 + writeUnits / 1000
}

function notIn(known: readonly Finding[], findings: readonly Finding[]): readonly Finding[] {
  const texts = new Set(known.map(findingText))
  return findings.filter((finding) => !texts.has(findingText(finding)))
}

function findingText({ where, code, reason }: Finding): string {
  return JSON.stringify([where.kind, where.name, code, reason])
}
