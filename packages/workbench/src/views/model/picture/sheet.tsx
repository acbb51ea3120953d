import type { ReactNode, Ref } from 'react'
import { entityHue } from '../../../values/entity-colour.ts'
import { oklchHex } from './oklch-hex.ts'

/** Pictures are for paper: black on white in both themes, with their own fonts and colours, so that a file of them stands for
 *  itself. */
export const ink = { text: '#1a1f2b', soft: '#5b6475', line: '#c9cfda', paper: '#ffffff' } as const
const sans = 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif'
const mono = 'ui-monospace, Menlo, Consolas, monospace'

export function Sheet({
  title,
  width,
  height,
  children,
  ref,
}: {
  readonly title: string
  readonly width: number
  readonly height: number
  readonly children: ReactNode
  readonly ref?: Ref<SVGSVGElement> | undefined
}) {
  return (
    <svg
      ref={ref}
      className="model-sheet"
      role="img"
      aria-label={title}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
    >
      <rect width={width} height={height} fill={ink.paper} />
      <Words x={24} y={36} text={title} size={18} isBold />
      {children}
    </svg>
  )
}

export function Words({
  x,
  y,
  text,
  size = 12,
  colour = ink.text,
  isBold = false,
  isMono = false,
  most = 200,
  anchor = 'start',
}: {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size?: number
  readonly colour?: string
  readonly isBold?: boolean
  readonly isMono?: boolean
  /** More characters than this are cut. */
  readonly most?: number
  readonly anchor?: 'start' | 'end' | 'middle'
}) {
  return (
    <text
      x={x}
      y={y}
      fill={colour}
      fontSize={size}
      fontFamily={isMono ? mono : sans}
      fontWeight={isBold ? 600 : 400}
      textAnchor={anchor}
    >
      {text.length > most ? `${text.slice(0, most - 1)}…` : text}
    </text>
  )
}

/** A box in the colour of its entity. */
export function EntityBox({
  name,
  x,
  y,
  width,
  height,
}: {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}) {
  const hue = entityHue(name)
  return (
    <>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={6}
        fill={oklchHex(0.97, 0.015, hue)}
        stroke={oklchHex(0.8, 0.07, hue)}
      />
      <rect x={x} y={y} width={4} height={height} rx={2} fill={oklchHex(0.6, 0.15, hue)} />
    </>
  )
}
