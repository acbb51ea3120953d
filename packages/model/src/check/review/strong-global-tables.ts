import type { TableDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import { listOf } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** What multi-Region strong consistency does not support. */
export function reviewStrongGlobalTables(context: ReviewContext): Finding[] {
  const { tables, patterns } = context.model.model
  const strong = new Set(tables.filter(({ global }) => global?.consistency === 'strong').map(({ id }) => id))
  const tablesOf = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => context.model.ownerOf(name)?.table ?? [])
  const transactions = patterns.filter(
    ({ operation, entities }) =>
      operation.startsWith('Transact') && tablesOf(entities).some((id) => strong.has(id)),
  )
  return [
    ...transactions.map((pattern): Finding => ({
      code: 'global-unsupported',
      severity: 'error',
      where: context.atPattern(pattern),
      reason: `${pattern.name} is a transaction (${pattern.operation}). DynamoDB rejects transactions on global tables with multi-Region strong consistency.`,
      remedy:
        'Put what must change together into one item, without unique constraints and index items; or use eventual consistency.',
    })),
    ...tables.filter(({ id }) => strong.has(id)).flatMap((table) => unsupported(context, table)),
  ]
}

function unsupported(context: ReviewContext, table: TableDescription): Finding[] {
  const { indexes, ttlAttribute, global } = table
  const local = indexes.filter(({ kind }) => kind === 'local').map(({ name }) => name)
  const reasons = [
    ...(ttlAttribute === undefined ? [] : [`time to live (${ttlAttribute})`]),
    ...(local.length === 0 ? [] : [`local secondary indexes (${listOf(local)})`]),
    ...(global?.regions.length === 3 ? [] : ['any other number of regions than three, a witness included']),
  ]
  return reasons.map((what) => ({
    code: 'global-unsupported',
    severity: 'error',
    where: context.at({ name: table.name, table }),
    reason: `The table has multi-Region strong consistency, for which DynamoDB does not support ${what}.`,
    remedy: 'Change the table, or use eventual consistency.',
  }))
}
