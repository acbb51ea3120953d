import type { LocationDescription } from '../description.ts'

/** `error` fails a build, `warning` fails a strict one, `note` never does. */
export type Severity = 'error' | 'warning' | 'note'

/** What the review says about one place of a model. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  readonly where: FindingPlace
  /** What is the case, and why it matters. */
  readonly reason: string
  /** What to do about it. */
  readonly remedy: string
}

export interface FindingPlace {
  readonly kind: 'model' | 'table' | 'index' | 'entity' | 'pattern' | 'role' | 'derivation'
  readonly name: string
  /** Of an index or table: that of the first entity in it. */
  readonly location?: LocationDescription
}

export type FindingCode = keyof typeof findingTitles

/** What the review of a design can find. */
export const reviewTitles = {
  scan: 'A pattern uses a scan instead of a key',
  filter: 'A pattern uses a filter instead of a key',
  'hot-partition': 'The declared traffic exceeds the throughput of one partition key',
  'low-cardinality-key': 'A partition key has few distinct values',
  'padding-too-narrow': 'A number does not fit the padding of its key',
  'unpadded-number': 'A number in a sort key does not sort as a number',
  'date-does-not-sort': 'A date in a sort key does not sort by time',
  'prefix-overlap': 'The sort keys of two entities share a prefix',
  'separator-injection': 'A value can contain the separator of its key',
  'unbounded-collection': 'A pattern reads an item collection that grows without bound',
  'item-outgrows-limit': 'An item can reach the 400 KB limit',
  'collection-near-limit': 'An item collection with a local secondary index approaches 10 GB',
  'projection-too-wide': 'An index projects more than its readers need',
  'projection-too-narrow': 'An index does not project what its readers need',
  'unused-index': 'No pattern reads an index',
  'too-many-indexes': 'A table has more indexes than DynamoDB allows',
  'write-amplification': 'Indexes multiply the cost of a write',
  'missing-discriminator': 'Items do not say which entity they are',
  'sparse-index-covers-all': 'The condition of a sparse index covers every value',
  'personal-data-in-key': 'A key contains personal data',
  'crosses-tenants': 'A query can return items of several tenants',
  'date-partition-key': 'A partition key is only a date',
  'keys-only-then-get': 'An index projects only keys, and each item is fetched afterwards',
  'limit-hides-entity': 'A limit cuts off an entity',
  'put-overwrites': 'A put replaces other items of the same period',
  'transaction-contention': 'Many transactions write the same item',
  'unique-with-ttl': 'A unique value belongs to an item that expires',
  predecessor: 'An entity still names its predecessor',
  'global-counter': 'A counter of a global table is changed in any region',
  'global-read-modify-write': 'An item of a global table is read, changed and written in any region',
  'global-version': 'Optimistic locking does not see other regions of a global table',
  'global-unique': 'A unique value is not unique across the regions of a global table',
  'global-unsupported': 'A strongly consistent global table does not support it',
  'unowned-pattern': 'A pattern has no owner',
  'over-budget': 'A pattern costs more than its budget',
  'wrong-order': 'A pattern does not return its items in order',
  'returns-nothing': 'A pattern never finds an item',
  'pattern-failed': 'A pattern was rejected when it was run',
  'table-refused': 'The database rejected the table',
} as const

/** What a proof of its roles can find. */
const roleTitles = {
  'role-denied': 'A role may not use one of its own patterns',
  'role-too-wide': 'A role may do more than its patterns need',
  'tenant-leak': 'A role reaches the items of another tenant',
  'roles-not-separated': 'IAM cannot keep a role from using the pattern of another',
} as const

/** What a trial of derived items can find. */
const derivedTitles = {
  'hot-derived-item': 'Many changes count for the same derived item',
  'transaction-instead': 'A transaction would be cheaper than a derived item',
  'derivation-failed': 'Derived items could not be written, or are wrong',
} as const

/** One line for each kind of finding; reports and SARIF rules show it. */
export const findingTitles = { ...reviewTitles, ...roleTitles, ...derivedTitles } as const
