import type { LocationDescription } from '../description.ts'

/** `error` fails a build, `warning` fails a strict one, `note` never does. */
export type Severity = 'error' | 'warning' | 'note'

/** What the review has to say about one place of a model. */
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
  readonly kind: 'model' | 'table' | 'index' | 'entity' | 'pattern'
  readonly name: string
  /** Of an index or table: that of the first entity in it. */
  readonly location?: LocationDescription
}

export type FindingCode = keyof typeof findingTitles

/** One line for each kind of finding; reports and SARIF rules show it. */
export const findingTitles = {
  scan: 'A pattern scans where a key should be',
  filter: 'A pattern filters where a key should be',
  'hot-partition': 'Declared traffic exceeds what one partition key can take',
  'low-cardinality-key': 'A partition key has few different values',
  'padding-too-narrow': 'A number outgrows the padding of its key',
  'unpadded-number': 'A number in a sort key does not sort as a number',
  'date-does-not-sort': 'A date in a sort key does not sort by time',
  'prefix-overlap': 'The sort keys of two entities begin alike',
  'separator-injection': 'A value can contain the separator of its key',
  'unbounded-collection': 'A pattern reads an item collection that grows without bound',
  'item-outgrows-limit': 'An item can grow to the limit of 400 KB',
  'collection-near-limit': 'An item collection with a local index nears 10 GB',
  'projection-too-wide': 'An index copies more than its readers need',
  'projection-too-narrow': 'An index lacks what its readers need',
  'unused-index': 'No pattern reads an index',
  'too-many-indexes': 'A table has more indexes than DynamoDB allows',
  'write-amplification': 'Indexes multiply the cost of a write',
  'missing-discriminator': 'Items do not say which entity they are',
  'unowned-pattern': 'Nobody owns a pattern',
  'over-budget': 'A pattern costs more than its budget',
  'wrong-order': 'A pattern does not return its items in the order of their values',
  'returns-nothing': 'A pattern finds none of the items it is about',
  'pattern-failed': 'The database refused the request of a pattern',
  'table-refused': 'The database refused the table',
} as const
