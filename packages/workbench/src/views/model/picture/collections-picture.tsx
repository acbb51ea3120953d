import type { ModelDescription } from '@hashrange/model'
import type { Ref } from 'react'
import { placesOf, type Collection, type FilledPlace } from '../collections-of.ts'
import { EntityBox, ink, Sheet, Words } from './sheet.tsx'

const columnWidth = 320
const gap = 24
const top = 60
const memberHeight = 34
const pad = 12

/** The item collections of the table and of each index, side by side. */
export function CollectionsPicture({
  model,
  ref,
}: {
  readonly model: ModelDescription
  readonly ref?: Ref<SVGSVGElement> | undefined
}) {
  const places = placesOf(model)
  const width = gap + places.length * (columnWidth + gap)
  const height = Math.max(...places.map(heightOf), 60) + top + gap
  return (
    <Sheet ref={ref} title={`${model.name}: item collections`} width={Math.max(width, 400)} height={height}>
      {places.map((place, column) => (
        <PlaceColumn key={place.title} place={place} x={gap + column * (columnWidth + gap)} />
      ))}
    </Sheet>
  )
}

function heightOf({ collections }: FilledPlace): number {
  return 48 + collections.reduce((sum, each) => sum + collectionHeight(each) + pad, 0)
}

function collectionHeight({ members, patterns }: Collection): number {
  return 28 + members.length * memberHeight + (patterns.length === 0 ? 0 : 18 * linesOf(patterns).length) + pad
}

function PlaceColumn({ place, x }: { readonly place: FilledPlace; readonly x: number }) {
  const keys = [place.partitionKey, place.sortKey].filter((key) => key !== '').join(' · ')
  let y = top + 48
  return (
    <g>
      <Words
        x={x}
        y={top + 14}
        text={`${place.title}${place.index === undefined ? '' : ` (${place.index.kind} index)`}`}
        size={14}
        isBold
        most={40}
      />
      <Words x={x} y={top + 32} text={keys} size={11} colour={ink.soft} isMono most={46} />
      {place.collections.map((collection) => {
        const at = y
        y += collectionHeight(collection) + pad
        return <CollectionCard key={collection.partition} collection={collection} x={x} y={at} />
      })}
    </g>
  )
}

function CollectionCard({
  collection,
  x,
  y,
}: {
  readonly collection: Collection
  readonly x: number
  readonly y: number
}) {
  const { partition, members, patterns } = collection
  const under = y + 28 + members.length * memberHeight
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={columnWidth}
        height={collectionHeight(collection)}
        rx={8}
        fill="none"
        stroke={ink.line}
      />
      <Words x={x + pad} y={y + 19} text={partition} size={12} isMono isBold most={40} />
      {members.map(({ name, entity, sort, when }, row) => {
        const at = y + 28 + row * memberHeight
        return (
          <g key={`${name} ${sort}`}>
            <EntityBox name={entity} x={x + pad} y={at} width={columnWidth - 2 * pad} height={memberHeight - 5} />
            <Words
              x={x + pad + 12}
              y={at + 12}
              text={when === '' ? name : `${name}, ${when}`}
              size={10.5}
              isBold
              most={48}
            />
            <Words x={x + pad + 12} y={at + 24} text={sort} size={10} colour={ink.soft} isMono most={44} />
          </g>
        )
      })}
      {linesOf(patterns).map((line, row) => (
        <Words key={line} x={x + pad} y={under + 14 + row * 18} text={line} size={10.5} colour={ink.soft} />
      ))}
    </g>
  )
}

/** The patterns that read a collection, as many in a line as fit. */
function linesOf(patterns: Collection['patterns']): readonly string[] {
  const lines: string[] = []
  for (const { name } of patterns) {
    const last = lines.at(-1)
    if (last === undefined) lines.push(`Read by ${name}`)
    else if (last.length + name.length < 46) lines.push(`${lines.pop() ?? ''}, ${name}`)
    else lines.push(name)
  }
  return lines
}
