import {
  Activity,
  ChevronRight,
  Globe,
  ScrollText,
  SquareFunction,
  Table2,
  Waves,
  Webhook,
  Workflow,
  Zap,
} from '../../../icons/icons.generated.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { Consumer, TableEvents } from '../../../answers/events.ts'
import { Badge } from '../../../components/values/badge.tsx'
import { useLink } from '../../../state/links.ts'
import { deliveredBy, kindNames, nameOf, stateOf } from '../consumer-state.ts'
import { curves, flowGroups, type FlowGroup, type FlowRow, type Station } from './flow-groups.ts'
import './flow.css'

/** The same lengths as in flow.css. */
const rowPx = 62
const gapPx = 10
const curvePx = 44

/** The way of changes from a table to its consumers and on, as it is now. A consumer is chosen by its card. */
export function FlowPicture({
  table,
  chosen,
  onChoose,
}: {
  readonly table: TableEvents
  readonly chosen: string
  readonly onChoose: (id: string) => void
}) {
  const groups = flowGroups(table)
  const flowing = useFlowing(table.consumers)
  const heights = groups.map(({ rows }) => Math.max(1, rows.length))
  return (
    <div className="flow" role="group" aria-label={`From ${table.tableName} to its consumers`}>
      <div className="flow-card flow-table">
        <Table2 aria-hidden />
        <span className="grow truncate" title={table.tableName}>
          {table.tableName}
        </span>
      </div>
      <Curves counts={heights} isFlowing={flowing.size > 0} />
      <div className="flow-groups">
        {groups.map((group) => (
          <Group key={group.id} group={group} flowing={flowing} chosen={chosen} onChoose={onChoose} />
        ))}
      </div>
    </div>
  )
}

function Group({
  group,
  flowing,
  chosen,
  onChoose,
}: {
  readonly group: FlowGroup
  readonly flowing: ReadonlySet<string>
  readonly chosen: string
  readonly onChoose: (id: string) => void
}) {
  const { id, title, detail, rows } = group
  return (
    <div className="flow-group">
      <div className="flow-card flow-source">
        {id === 'stream' ? <Activity aria-hidden /> : <ScrollText aria-hidden />}
        <span className="grow">
          <span className="flow-name">{title}</span>
          <span className="flow-line">{detail}</span>
        </span>
      </div>
      {rows.length > 0 && (
        <svg className="flow-curves" width={curvePx} height={rows.length * (rowPx + gapPx) - gapPx} aria-hidden>
          {curves(rows.length, rowPx, gapPx, curvePx).map((path, at) => (
            <path key={path} d={path} className={edgeClass(rows[at]?.consumer, flowing)} />
          ))}
        </svg>
      )}
      <ul className="flow-rows" aria-label={`What reads the ${title.toLowerCase()}`}>
        {rows.length === 0 && <li className="flow-nobody muted">Nothing reads it here.</li>}
        {rows.map((row) => (
          <Row
            key={`${row.consumer.kind} ${row.consumer.id}`}
            row={row}
            isFlowing={flowing.has(row.consumer.id)}
            isChosen={row.consumer.id === chosen}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </div>
  )
}

function Row({
  row: { consumer, stations },
  isFlowing,
  isChosen,
  onChoose,
}: {
  readonly row: FlowRow
  readonly isFlowing: boolean
  readonly isChosen: boolean
  readonly onChoose: (id: string) => void
}) {
  const state = stateOf(consumer)
  return (
    <li className="flow-row">
      <button
        type="button"
        className="flow-card flow-consumer"
        aria-pressed={isChosen}
        onClick={() => onChoose(consumer.id)}
      >
        {consumerIcons[consumer.kind]}
        <span className="grow">
          <span className="flow-name">
            {kindNames[consumer.kind]}
            {consumer.kind === 'pipe' && ` ${consumer.name}`}{' '}
            <span className="visually-hidden">{consumer.kind !== 'pipe' && nameOf(consumer)}</span>
          </span>
          <span className="flow-line truncate" title={state.line}>
            {state.line}
          </span>
        </span>
        <Badge tone={state.tone}>
          <span className="badge-dot" aria-hidden />
          {state.word}
        </Badge>
      </button>
      {stations.map((station, at) => (
        <span key={`${String(at)} ${station.name}`} className="flow-hop">
          <span className={`flow-arrow ${isFlowing ? 'is-flowing' : ''} is-${state.word}`} aria-hidden>
            <ChevronRight />
          </span>
          <StationCard station={station} />
        </span>
      ))}
    </li>
  )
}

function StationCard({ station: { kind, name } }: { readonly station: Station }) {
  const link = useLink()
  const content = (
    <>
      {stationIcons[kind]}
      <span className="grow truncate" title={name}>
        <span className="visually-hidden">to the {stationNames[kind]} </span>
        {name}
      </span>
    </>
  )
  return kind === 'table' ? (
    <Link className="flow-card flow-target" href={link('triggers', name)}>
      {content}
    </Link>
  ) : (
    <span className="flow-card flow-target">{content}</span>
  )
}

const consumerIcons: Readonly<Record<Consumer['kind'], ReactNode>> = {
  mapping: <Zap aria-hidden />,
  pipe: <Workflow aria-hidden />,
  kinesis: <Waves aria-hidden />,
  webhook: <Webhook aria-hidden />,
}

const stationIcons: Readonly<Record<Station['kind'], ReactNode>> = {
  function: <SquareFunction aria-hidden />,
  table: <Table2 aria-hidden />,
  stream: <Waves aria-hidden />,
  address: <Globe aria-hidden />,
}

const stationNames: Readonly<Record<Station['kind'], string>> = {
  function: 'function',
  table: 'table',
  stream: 'Kinesis stream',
  address: 'address',
}

/** From the table to each of the groups, whose heights depend on their rows. */
function Curves({ counts, isFlowing }: { readonly counts: readonly number[]; readonly isFlowing: boolean }) {
  const groupGapPx = 18
  const heights = counts.map((count) => count * (rowPx + gapPx) - gapPx)
  const height = heights.reduce((sum, one) => sum + one, 0) + groupGapPx * Math.max(0, heights.length - 1)
  let top = 0
  return (
    <svg className="flow-curves" width={curvePx} height={height} aria-hidden>
      {heights.map((one, at) => {
        const to = top + one / 2
        top += one + groupGapPx
        const half = curvePx / 2
        const path = `M0 ${String(height / 2)} C${String(half)} ${String(height / 2)} ${String(half)} ${String(to)} ${String(curvePx)} ${String(to)}`
        return <path key={at} d={path} className={`flow-edge ${isFlowing ? 'is-flowing' : ''}`} />
      })}
    </svg>
  )
}

function edgeClass(consumer: Consumer | undefined, flowing: ReadonlySet<string>): string {
  if (consumer === undefined) return 'flow-edge'
  return `flow-edge is-${stateOf(consumer).word} ${flowing.has(consumer.id) ? 'is-flowing' : ''}`
}

/** Those that have passed something on since the last look. */
function useFlowing(consumers: readonly Consumer[]): ReadonlySet<string> {
  const before = useRef(new Map<string, number>())
  const [flowing, setFlowing] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const now = new Map(consumers.map((consumer) => [consumer.id, deliveredBy(consumer)]))
    const moved = [...now].filter(([id, delivered]) => delivered > (before.current.get(id) ?? delivered))
    before.current = now
    setFlowing(new Set(moved.map(([id]) => id)))
  }, [consumers])
  return flowing
}
