import { attributeOf, typeOf, type AttributeType, type Item } from '@hashrange/core'
import { useCallback, useEffect, useState } from 'react'
import { countAttributes, noteAttributes, type AttributeCounts, type SeenAttributes } from './columns.ts'
import type { SourceRows } from '../rows/use-source-rows.ts'

const mostSamples = 60

export interface SeenItems {
  /** The first and the last row in sight. */
  readonly inSight: readonly [number, number]
  readonly onSight: (first: number, last: number, firstShown: number, lastShown: number) => void
  readonly attributes: SeenAttributes
  /** What the rows in sight have, once scrolling has come to rest: columns that change under the eye are hard to read. */
  readonly settled: AttributeCounts
  /** An item of each entity. */
  readonly samples: ReadonlyMap<string, Item>
}

/** What the visible rows have shown of the table's attributes and entities. */
export function useSeenItems(rows: SourceRows, entityName: (item: Item) => string | undefined): SeenItems {
  const [inSight, setInSight] = useState<readonly [number, number]>([0, 0])
  const [attributes, setAttributes] = useState<SeenAttributes>(new Map())
  const [samples, setSamples] = useState<ReadonlyMap<string, Item>>(new Map())
  const [settled, setSettled] = useState<AttributeCounts>(noCounts)
  const isFirst = settled.rows === 0
  useEffect(() => {
    const rest = (): void => setSettled(countAttributes(rowsBetween(rows, inSight)))
    if (isFirst) {
      rest()
      return undefined
    }
    const timer = setTimeout(rest, restMs)
    return () => clearTimeout(timer)
  }, [rows.version, rows, inSight, isFirst])
  useEffect(() => {
    const fresh = rowsBetween(rows, inSight)
    setAttributes((known) => noteAttributes(known, fresh, entityName))
    setSamples((known) => noteSamples(known, fresh, entityName))
  }, [rows.version, rows, inSight, entityName])
  const onSight = useCallback(
    (first: number, last: number, firstShown: number, lastShown: number) => {
      setInSight((known) => (known[0] === firstShown && known[1] === lastShown ? known : [firstShown, lastShown]))
      rows.need(first, last)
    },
    [rows.need],
  )
  return { inSight, onSight, attributes, samples, settled }
}

/** The type that an attribute has in the rows in sight, or in an item of any entity. */
export function typeSeen(
  { inSight, samples }: SeenItems,
  rows: SourceRows,
  name: string,
): AttributeType | undefined {
  for (const item of [...rowsBetween(rows, inSight), ...samples.values()]) {
    const value = attributeOf(item, name)
    if (value !== undefined && !('NULL' in value)) return typeOf(value)
  }
  return undefined
}

const restMs = 250
const noCounts: AttributeCounts = { rows: 0, counts: new Map() }

function rowsBetween(rows: SourceRows, [first, last]: readonly [number, number]): Item[] {
  const found: Item[] = []
  for (let index = first; index <= last; index++) {
    const row = rows.rowAt(index)
    if (row !== undefined) found.push(row)
  }
  return found
}

function noteSamples(
  known: ReadonlyMap<string, Item>,
  rows: readonly Item[],
  entityName: (item: Item) => string | undefined,
): ReadonlyMap<string, Item> {
  let next: Map<string, Item> | undefined
  for (const row of rows) {
    const name = entityName(row)
    if (name === undefined || (next ?? known).has(name) || (next ?? known).size >= mostSamples) continue
    next ??= new Map(known)
    next.set(name, row)
  }
  return next ?? known
}
