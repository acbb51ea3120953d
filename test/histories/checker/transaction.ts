/** One transaction of a client on lists that are only ever appended to. Every value is appended once at most, so that a list that is
 *  read tells which appends came before it, and in which order. */
export interface Transaction {
  readonly id: number
  readonly client: string
  readonly startedAtMs: number
  /** Infinite where no answer came. */
  readonly endedAtMs: number
  /** `unknown`: it has happened at some time, or never. What was aborted has not, but what it read on the way counts. */
  readonly outcome: 'committed' | 'aborted' | 'unknown'
  /** At most one for each list. */
  readonly appends: readonly Append[]
  /** What lists held before the transaction's own appends. */
  readonly reads: readonly Read[]
}

export interface Append {
  readonly key: string
  readonly values: readonly number[]
}

/** A condition that held tells the length of a list and nothing else. */
export type Read =
  { readonly key: string; readonly values: readonly number[] } | { readonly key: string; readonly length: number }

export function lengthOf(read: Read): number {
  return 'values' in read ? read.values.length : read.length
}

export function describeTransaction({
  id,
  client,
  startedAtMs,
  endedAtMs,
  outcome,
  appends,
  reads,
}: Transaction): string {
  const parts = [
    ...reads.map(
      (read) => `${read.key} = ${'values' in read ? `[${read.values.join(' ')}]` : `${read.length} values`}`,
    ),
    ...appends.map(({ key, values }) => `${key} += ${values.join(' ')}`),
  ]
  const end = endedAtMs === Infinity ? '?' : endedAtMs.toFixed(3)
  return `T${id} (${client}, ${outcome}, ${startedAtMs.toFixed(3)}–${end} ms): ${parts.join(', ')}`
}
