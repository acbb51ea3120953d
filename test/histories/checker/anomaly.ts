/** Something that a correct database does not do. */
export interface Anomaly {
  /** By its name in the literature where it has one: G0, G1a, G-single, …; docs/testing.md says what they mean. */
  readonly kind: string
  /** The smallest explanation that was found. */
  readonly explanation: string
}

/** Those that are worth reading: more of a kind only hide the others. */
export function mostTelling(anomalies: readonly Anomaly[]): readonly Anomaly[] {
  const counts = new Map<string, number>()
  return anomalies.filter(({ kind }) => {
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return count < 3
  })
}
