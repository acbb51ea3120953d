import type { EntityDescription, ModelDescription } from '@hashrange/model'
import type { Ref } from 'react'
import { identityOf, relationsOf, type Relation } from './relations-of.ts'
import { EntityBox, ink, Sheet, Words } from './sheet.tsx'

const boxWidth = 230
const gap = { x: 90, y: 28 }
const margin = { x: 24, y: 60 }
const rowHeight = 17
const headHeight = 30
const mostAttributes = 24

interface Box {
  readonly entity: EntityDescription
  readonly x: number
  readonly y: number
  readonly height: number
}

/** Entities with their attributes, and how they belong together. */
export function ErPicture({
  model,
  ref,
}: {
  readonly model: ModelDescription
  readonly ref?: Ref<SVGSVGElement> | undefined
}) {
  const relations = relationsOf(model)
  const boxes = layOut(model.entities, relations)
  const at = new Map(boxes.map((box) => [box.entity.name, box]))
  const width = Math.max(...boxes.map(({ x }) => x + boxWidth), 300) + margin.x
  const height = Math.max(...boxes.map(({ y, height: tall }) => y + tall), 80) + margin.x
  return (
    <Sheet ref={ref} title={`${model.name}: entities`} width={width} height={height}>
      {relations.map((relation) => {
        const [from, to] = [at.get(relation.from), at.get(relation.to)]
        return from === undefined || to === undefined ? null : (
          <Line key={`${relation.from} ${relation.to}`} from={from} to={to} />
        )
      })}
      {boxes.map((box) => (
        <EntityTable key={box.entity.name} {...box} />
      ))}
    </Sheet>
  )
}

/** Who refers to nobody stands at the left, and everybody right of whom they refer to. */
function layOut(entities: readonly EntityDescription[], relations: readonly Relation[]): readonly Box[] {
  const depthOf = (name: string, seen: ReadonlySet<string> = new Set()): number => {
    if (seen.has(name)) return 0
    const above = relations.filter(({ from }) => from === name)
    return above.length === 0 ? 0 : 1 + Math.max(...above.map(({ to }) => depthOf(to, new Set([...seen, name]))))
  }
  const tops: number[] = []
  return entities.map((entity) => {
    const depth = depthOf(entity.name)
    const y = tops[depth] ?? margin.y
    const height = headHeight + 8 + Math.min(entity.attributes.length, mostAttributes + 1) * rowHeight
    tops[depth] = y + height + gap.y
    return { entity, x: margin.x + depth * (boxWidth + gap.x), y, height }
  })
}

function EntityTable({ entity, x, y, height }: Box) {
  const identity = new Set(identityOf(entity))
  const shown = entity.attributes.slice(0, mostAttributes)
  const left = entity.attributes.length - shown.length
  return (
    <g>
      <EntityBox name={entity.name} x={x} y={y} width={boxWidth} height={height} />
      <Words x={x + 14} y={y + 20} text={entity.name} size={13} isBold most={28} />
      {shown.map(({ name, type, isOptional }, row) => {
        const base = y + headHeight + 12 + row * rowHeight
        return (
          <g key={name}>
            <Words x={x + 14} y={base} text={name} size={11} isMono isBold={identity.has(name)} most={20} />
            <Words
              x={x + boxWidth - 10}
              y={base}
              text={`${type}${isOptional ? '?' : ''}${identity.has(name) ? ' · key' : ''}`}
              size={10}
              colour={ink.soft}
              anchor="end"
            />
          </g>
        )
      })}
      {left > 0 && (
        <Words
          x={x + 14}
          y={y + headHeight + 12 + shown.length * rowHeight}
          text={`and ${String(left)} more`}
          size={11}
          colour={ink.soft}
        />
      )}
    </g>
  )
}

/** From many to one: the foot of a crow at the many. */
function Line({ from, to }: { readonly from: Box; readonly to: Box }) {
  const [x1, y1] = [from.x, from.y + 15]
  const [x2, y2] = [to.x + boxWidth, to.y + 15]
  const bend = Math.max(40, Math.abs(x1 - x2) / 2)
  const path = `M ${x1} ${y1} C ${x1 - bend} ${y1}, ${x2 + bend} ${y2}, ${x2} ${y2}`
  const foot = `M ${x1 - 10} ${y1} L ${x1} ${y1 - 6} M ${x1 - 10} ${y1} L ${x1} ${y1 + 6} M ${x2 + 7} ${y2 - 6} L ${x2 + 7} ${y2 + 6}`
  return (
    <g fill="none" stroke={ink.soft} strokeWidth={1.3}>
      <path d={path} />
      <path d={foot} />
    </g>
  )
}
