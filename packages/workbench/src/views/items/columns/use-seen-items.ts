import type { Item } from '@hashrange/core'
import { useCallback, useEffect, useState } from 'react'
import { noteAttributes, type SeenAttributes } from './columns.ts'
import type { SourceRows } from '../rows/use-source-rows.ts'

const mostSamples = 60

export interface SeenItems {
  /** The first and the last row in sight. */
  readonly inSight: readonly [number, number]
  readonly onSight: (first: number, last: number, firstShown: number, lastShown: number) => void
  readonly attributes: SeenAttributes
  /** An item of each entity. */
  readonly samples: ReadonlyMap<string, Item>
}

/** What the rows that were in sight have told of the table's attributes and entities. */
export function useSeenItems(rows: SourceRows, entityName: (item: Item) => string | undefined): SeenItems {
  const [inSight, setInSight] = useState<readonly [number, number]>([0, 0])
  const [attributes, setAttributes] = useState<SeenAttributes>(new Map())
  const [samples, setSamples] = useState<ReadonlyMap<string, Item>>(new Map())
  useEffect(() => {
    const fresh: Item[] = []
    for (let index = inSight[0]; index <= inSight[1]; index++) {
      const row = rows.rowAt(index)
      if (row !== undefined) fresh.push(row)
    }
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
  return { inSight, onSight, attributes, samples }
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
