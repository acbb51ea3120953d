import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { StoredItem } from '../client/entity-runtime.ts'

/** What a source item has contributed to a derived item, as its mark remembers it. */
export type Contribution = AmountContribution | EntryContribution

export interface AmountContribution {
  readonly kind: 'amount'
  readonly derivation: string
  readonly target: Target
  readonly attribute: string
  /** A number as DynamoDB stores it. */
  readonly amount: string
}

export interface EntryContribution {
  readonly kind: 'entry'
  readonly derivation: string
  readonly target: Target
  /** Tells whether the entry must be written again. */
  readonly fingerprint: string
}

/** A derived item: its entity and the values of its key. */
export interface Target {
  readonly entity: string
  readonly key: readonly AttributeValue[]
}

/** What an item should contribute, with what is needed to write the derived item. */
export interface Desired {
  readonly contribution: Contribution
  /** Of an entry, all of it. Of an amount: what the derived item has beside amounts. */
  readonly item: StoredItem
}

export function targetId({ entity, key }: Target): string {
  return JSON.stringify([entity, ...key])
}

/** ON DISK: the attribute `contributions` of marks. The same contributions always give the same text. */
export function contributionsText(contributions: readonly Contribution[]): string {
  const rows = contributions.map((each) =>
    each.kind === 'amount'
      ? [each.derivation, each.target.entity, each.target.key, each.attribute, each.amount]
      : [each.derivation, each.target.entity, each.target.key, each.fingerprint],
  )
  return `[${rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join(',')}]`
}

type AmountRow = readonly [string, string, AttributeValue[], string, string]
type EntryRow = readonly [string, string, AttributeValue[], string]

export function readContributions(text: string): readonly Contribution[] {
  const rows = JSON.parse(text) as readonly (AmountRow | EntryRow)[]
  return rows.map((row) => {
    const [derivation, entity, key, detail] = row
    const target = { entity, key }
    return row.length === 5
      ? { kind: 'amount', derivation, target, attribute: detail, amount: row[4] }
      : { kind: 'entry', derivation, target, fingerprint: detail }
  })
}
