import { useCallback, useMemo, useState } from 'react'

export interface Facets {
  /** How many items of each entity are in the shown sources. */
  readonly counts: ReadonlyMap<string, number>
  readonly names: readonly string[]
  /** Takes what one source has; its name is empty for the table. */
  readonly report: (source: string, counts: ReadonlyMap<string, number>) => void
}

/** The entities to choose from: those of the model, and those that the shown sources have reported. */
export function useFacets(modelled: readonly string[] | undefined, hidden: readonly string[]): Facets {
  const [bySource, setBySource] = useState<ReadonlyMap<string, ReadonlyMap<string, number>>>(new Map())
  const report = useCallback((source: string, own: ReadonlyMap<string, number>) => {
    setBySource((known) => (sameCounts(known.get(source), own) ? known : new Map(known).set(source, own)))
  }, [])
  const counts = useMemo(() => {
    const total = new Map<string, number>((modelled ?? []).map((name) => [name, 0]))
    for (const [source, own] of bySource) {
      if (hidden.includes(source)) continue
      for (const [name, count] of own) total.set(name, (total.get(name) ?? 0) + count)
    }
    return total
  }, [bySource, modelled, hidden])
  const names = useMemo(() => [...counts.keys()], [counts])
  return { counts, names, report }
}

function sameCounts(a: ReadonlyMap<string, number> | undefined, b: ReadonlyMap<string, number>): boolean {
  return a?.size === b.size && [...b].every(([name, count]) => a.get(name) === count)
}
