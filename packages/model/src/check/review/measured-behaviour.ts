import type { PatternDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import type { PatternMeasurement } from '../run/pattern-measurement.ts'
import { formatCount } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** What running the patterns showed: errors, budgets, order, empty results. */
export function reviewMeasuredBehaviour(context: ReviewContext): Finding[] {
  return [
    ...refusedTables(context),
    ...context.model.model.patterns.flatMap((pattern) => {
      const measured = context.measured(pattern)
      return measured === undefined ? [] : findingsFor(context, pattern, measured)
    }),
  ]
}

function refusedTables(context: ReviewContext): Finding[] {
  return context.measurement.refusedTables.flatMap(({ table: id, message }): Finding[] => {
    const table = context.model.table(id)
    // Too many indexes are reported elsewhere, and better.
    const isKnown =
      table.indexes.filter(({ kind }) => kind === 'global').length > 20 ||
      table.indexes.filter(({ kind }) => kind === 'local').length > 5
    if (isKnown) return []
    return [
      {
        code: 'table-refused',
        severity: 'error',
        where: context.at({ name: id, table }),
        reason: `The database refused to create the table ${table.name}: ${message}`,
        remedy: `Correct the definition of the table. Until then, none of its patterns can be run.`,
      },
    ]
  })
}

function findingsFor(context: ReviewContext, pattern: PatternDescription, measured: PatternMeasurement): Finding[] {
  const where = context.atPattern(pattern)
  if (measured.failure !== undefined) {
    return [
      {
        code: 'pattern-failed',
        severity: 'error',
        where,
        reason: `The pattern was rejected: ${measured.failure}`,
        remedy: `Correct the pattern or the keys it uses.`,
      },
    ]
  }
  // That it could not be tried says nothing about the pattern; the report names it among what was not judged.
  if (measured.untried !== undefined) return []
  const findings: Finding[] = overBudget(pattern, measured).map((excess) => ({
    code: 'over-budget' as const,
    severity: 'error' as const,
    where,
    reason: `A call uses ${excess}.`,
    remedy: `Read or write less, with a limit, a narrower key or a smaller projection; or raise the budget.`,
  }))
  if (measured.order?.isKept === false) {
    findings.push({
      code: 'wrong-order',
      severity: 'error',
      where,
      reason: `Its items should be ordered by ${measured.order.text}, but were not, because the text of their keys sorts differently from the values.`,
      remedy: `Pad numbers in keys ({n:05}), and use s.iso() for dates.`,
    })
  }
  const isRead = measured.writeUnits === 0 && measured.operations.length > 0
  if (isRead && measured.itemsReturned === 0 && measured.calls > 0) {
    findings.push({
      code: 'returns-nothing',
      severity: 'error',
      where,
      reason: `On the generated data it never found an item, although there were items of its entities.`,
      remedy: `Compare its key with the keys of its entities, and the conditions of a sparse index with the values that occur.`,
    })
  }
  return findings
}

/** The median in this process is a lower bound: a network adds to it. */
function overBudget({ budget }: PatternDescription, measured: PatternMeasurement): string[] {
  const limits: [number | undefined, number, string][] = [
    [budget.requests, measured.requests, 'requests'],
    [budget.readUnits, measured.maxReadUnits, 'read units'],
    [budget.writeUnits, measured.maxWriteUnits, 'write units'],
    [budget.milliseconds, measured.medianMilliseconds, 'milliseconds'],
  ]
  return limits.flatMap(([limit, amount, unit]) =>
    limit !== undefined && amount > limit
      ? [`up to ${formatCount(amount)} ${unit}, and its budget is ${formatCount(limit)}`]
      : [],
  )
}
