import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTheme } from '../../../state/theme.ts'
import { formatUnits, plural } from '../../../values/format.ts'
import { heatColour } from './heat-colour.ts'
import type { HeatCell, HeatColumn } from '../answers/heat-memory.ts'
import type { Side } from '../../../answers/heat.ts'
import { keyAxis, keyLabel, rangeLabel, type KeyAxis } from './key-axis.ts'
import { percent } from '../figures/percent.ts'

export interface HeatMapProps {
  readonly side: Side
  readonly columns: readonly HeatColumn[]
  readonly fromMs: number
  readonly toMs: number
  readonly heightPx?: number
}

interface MapCell {
  readonly column: number
  readonly cell: number
}

/** Time from left to right, key ranges from top to bottom; the colour is the share of what a partition takes. Walked with the
 *  arrow keys; what a cell says is said to those who do not see it, too. */
export function HeatMap({ side, columns, fromMs, toMs, heightPx = 156 }: HeatMapProps) {
  const theme = useTheme()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [widthPx, setWidthPx] = useState(0)
  const [place, setPlace] = useState<MapCell | undefined>()
  const axis = useMemo(() => keyAxis(columns), [columns])
  const chosenColumn = place === undefined ? undefined : columns[Math.min(place.column, columns.length - 1)]
  const chosen = chosenColumn?.cells[Math.min(place?.cell ?? 0, chosenColumn.cells.length - 1)]

  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (canvas.current === null || widthPx === 0) return
    const style = getComputedStyle(document.documentElement)
    draw(canvas.current, {
      axis,
      columns,
      side,
      fromMs,
      toMs,
      widthPx,
      heightPx,
      theme,
      gap: style.getPropertyValue('--surface'),
    })
  }, [axis, columns, side, fromMs, toMs, widthPx, heightPx, theme])

  const xOf = (ms: number): number => ((ms - fromMs) / (toMs - fromMs)) * 100
  const point = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    const ms = fromMs + ((event.clientX - box.left) / box.width) * (toMs - fromMs)
    const at = (event.clientY - box.top) / box.height
    const column = columns.findIndex((one) => ms >= one.fromMs && ms < one.toMs)
    const cell = columns[column]?.cells.findIndex((one) => at < axis.at(one.toKey, true)) ?? -1
    setPlace(column < 0 || cell < 0 ? undefined : { column, cell })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return setPlace(undefined)
    const next = stepFrom(place, event.key, columns)
    if (next === undefined) return
    event.preventDefault()
    setPlace(next)
  }
  const sideWord = side === 'read' ? 'Reads' : 'Writes'
  return (
    <div className="heat-map">
      <div className="heat-map-keys" style={{ height: heightPx }} aria-hidden>
        {labelsOf(axis, heightPx).map(({ key, at }) => (
          <span key={key} style={{ top: `${String(at * 100)}%` }}>
            {keyLabel(key, 4)}
          </span>
        ))}
      </div>
      <div
        className="heat-map-field"
        role="application"
        aria-roledescription="heat map"
        aria-label={`${sideWord} by key range and time. Use the arrow keys to move around; press Escape to leave.`}
        tabIndex={0}
        style={{ height: heightPx }}
        onKeyDown={press}
        onFocus={() => place ?? setPlace({ column: columns.length - 1, cell: hottestCell(columns.at(-1), side) })}
        onBlur={() => setPlace(undefined)}
        onPointerMove={point}
        onPointerLeave={() => setPlace(undefined)}
      >
        <canvas ref={canvas} style={{ height: heightPx }} />
        {chosenColumn !== undefined && chosen !== undefined && (
          <>
            <div
              className="heat-map-cursor"
              style={{
                left: `${String(Math.max(0, xOf(chosenColumn.fromMs)))}%`,
                width: `${String(xOf(chosenColumn.toMs) - Math.max(0, xOf(chosenColumn.fromMs)))}%`,
                top: `${String(axis.at(chosen.fromKey, false) * 100)}%`,
                height: `${String((axis.at(chosen.toKey, true) - axis.at(chosen.fromKey, false)) * 100)}%`,
              }}
            />
            <div
              className={`heat-map-tip ${xOf(chosenColumn.fromMs) > 55 ? 'is-left' : ''} ${axis.at(chosen.fromKey, false) > 0.5 ? 'is-above' : ''}`}
              style={{
                [xOf(chosenColumn.fromMs) > 55 ? 'right' : 'left']:
                  `${String(xOf(chosenColumn.fromMs) > 55 ? 100 - xOf(chosenColumn.fromMs) : xOf(chosenColumn.toMs))}%`,
                [axis.at(chosen.fromKey, false) > 0.5 ? 'bottom' : 'top']:
                  `${String(axis.at(chosen.fromKey, false) > 0.5 ? 100 - axis.at(chosen.toKey, true) * 100 : axis.at(chosen.fromKey, false) * 100)}%`,
              }}
            >
              <CellWords cell={chosen} column={chosenColumn} side={side} />
            </div>
          </>
        )}
      </div>
      <div className="heat-map-times" aria-hidden>
        {timeMarks(fromMs, toMs).map(({ at, text }) => (
          <span key={text} style={{ left: `${String(at * 100)}%` }}>
            {text}
          </span>
        ))}
      </div>
      <p className="visually-hidden" aria-live="polite">
        {chosenColumn !== undefined && chosen !== undefined && (
          <CellWords cell={chosen} column={chosenColumn} side={side} />
        )}
      </p>
    </div>
  )
}

function CellWords({
  cell,
  column,
  side,
}: {
  readonly cell: HeatCell
  readonly column: HeatColumn
  readonly side: Side
}) {
  const { unitsPerSecond, share, throttles } = cell[side]
  return (
    <>
      <strong className="number">{percent(share)}</strong>
      <span className="number">
        {formatUnits(unitsPerSecond)} {side === 'read' ? 'RCU' : 'WCU'}/s
      </span>
      <span>
        keys <span className="mono">{rangeLabel(cell.fromKey, cell.toKey)}</span>
      </span>
      <span className="number">{timeOf(column)}</span>
      {throttles > 0 && (
        <span>
          {plural(throttles, 'request')} throttled, or would be,{' '}
          {column.toMs - column.fromMs > 60_000 ? 'in this time' : 'in the minute'}
        </span>
      )}
    </>
  )
}

interface Drawing {
  readonly axis: KeyAxis
  readonly columns: readonly HeatColumn[]
  readonly side: Side
  readonly fromMs: number
  readonly toMs: number
  readonly widthPx: number
  readonly heightPx: number
  readonly theme: 'light' | 'dark'
  readonly gap: string
}

function draw(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { axis, columns, side, fromMs, toMs, widthPx, heightPx, theme, gap } = drawing
  const ratio = window.devicePixelRatio
  canvas.width = Math.round(widthPx * ratio)
  canvas.height = Math.round(heightPx * ratio)
  const context = canvas.getContext('2d')
  if (context === null) return
  context.scale(ratio, ratio)
  context.clearRect(0, 0, widthPx, heightPx)
  const xOf = (ms: number): number => Math.max(0, Math.round(((ms - fromMs) / (toMs - fromMs)) * widthPx))
  for (const column of columns) {
    const left = xOf(column.fromMs)
    const right = xOf(column.toMs)
    for (const cell of column.cells) {
      const top = Math.round(axis.at(cell.fromKey, false) * heightPx)
      const bottom = Math.round(axis.at(cell.toKey, true) * heightPx)
      const { share, throttles } = cell[side]
      // Where nothing happens the ground is seen: a tint would look like a little.
      if (share > 0) {
        context.fillStyle = heatColour(share, theme)
        context.fillRect(left, top, right - left, bottom - top)
      }
      if (throttles > 0 && share > 0) hatch(context, left, top, right - left, bottom - top, gap)
      // A line between partitions: where one begins within the picture, it was divided.
      context.fillStyle = gap
      if (top > 0) context.fillRect(left, top - 0.5, right - left, 1)
    }
  }
}

/** Stripes say what colour alone should not. */
function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: string,
): void {
  context.save()
  context.beginPath()
  context.rect(left, top, width, height)
  context.clip()
  context.strokeStyle = colour
  context.globalAlpha = 0.75
  context.lineWidth = 1
  context.beginPath()
  // From one origin, so that the stripes of neighbours meet.
  const first = Math.floor((left - top - height) / 7) * 7
  for (let at = first; at < left + width - top + 7; at += 7) {
    context.moveTo(at + top, top)
    context.lineTo(at + top + height, top + height)
  }
  context.stroke()
  context.restore()
}

function stepFrom(place: MapCell | undefined, key: string, columns: readonly HeatColumn[]): MapCell | undefined {
  const last = columns.length - 1
  if (last < 0) return undefined
  const { column, cell } = place ?? { column: last, cell: 0 }
  const cells = (at: number): number => (columns[at]?.cells.length ?? 1) - 1
  const go = (to: number, row: number): MapCell => {
    const at = Math.max(0, Math.min(last, to))
    return { column: at, cell: Math.max(0, Math.min(cells(at), row)) }
  }
  switch (key) {
    case 'ArrowLeft':
      return go(column - 1, cell)
    case 'ArrowRight':
      return go(column + 1, cell)
    case 'ArrowUp':
      return go(column, cell - 1)
    case 'ArrowDown':
      return go(column, cell + 1)
    case 'Home':
      return go(0, cell)
    case 'End':
      return go(last, cell)
    default:
      return undefined
  }
}

function hottestCell(column: HeatColumn | undefined, side: Side): number {
  const shares = column?.cells.map((cell) => cell[side].share) ?? []
  return Math.max(0, shares.indexOf(Math.max(...shares)))
}

/** Labels that do not stand on each other. */
function labelsOf(axis: KeyAxis, heightPx: number): KeyAxis['boundaries'] {
  let previous = Number.NEGATIVE_INFINITY
  return axis.boundaries.filter(({ at }) => {
    if ((at - previous) * heightPx < 13) return false
    previous = at
    return true
  })
}

function timeMarks(fromMs: number, toMs: number): readonly { readonly at: number; readonly text: string }[] {
  const { unitMs, unit, step } = markSteps.find(({ upToMs }) => toMs - fromMs <= upToMs) ?? coarsestMarks
  const length = Math.round((toMs - fromMs) / unitMs)
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, position) => {
    const ago = length - position * step
    return { at: 1 - ago / length, text: ago === 0 ? 'now' : `−${String(ago)} ${unit}` }
  })
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const coarsestMarks = { unitMs: dayMs, unit: 'd', step: 6 }
const markSteps = [
  { upToMs: 5 * minuteMs, unitMs: minuteMs, unit: 'min', step: 1 },
  { upToMs: hourMs, unitMs: minuteMs, unit: 'min', step: 15 },
  { upToMs: dayMs, unitMs: hourMs, unit: 'h', step: 6 },
  { upToMs: 7 * dayMs, unitMs: dayMs, unit: 'd', step: 1 },
]

/** The moment, or where a column is longer than a minute, from when to when. */
function timeOf({ fromMs, toMs }: HeatColumn): string {
  if (toMs - fromMs <= minuteMs) return new Date(toMs).toLocaleTimeString('en-GB')
  const from = new Date(fromMs)
  const day = from.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
  const clock = (date: Date): string => date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `${day}, ${clock(from)}–${clock(new Date(toMs))}`
}
