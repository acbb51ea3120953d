import type { HeatColumn } from '../answers/heat-memory.ts'

/** Where keys stand on the vertical axis: from 0, the first hash, to 1, the last. */
export interface KeyAxis {
  readonly boundaries: readonly { readonly key: string; readonly at: number }[]
  at(key: string, isEnd: boolean): number
}

/** The least height of a range, as a part of the whole: a hot partition may be divided between two items of one key, and its
 *  parts then have next to no hashes, but all the heat. */
const leastHeight = 0.045

/** An axis on which every boundary there was has its place, in proportion to the hashes between them where that can be
 *  seen. */
export function keyAxis(columns: readonly HeatColumn[]): KeyAxis {
  const keys = new Set<string>([''])
  for (const { cells } of columns) {
    for (const { fromKey, toKey } of cells) keys.add(isStart(fromKey) ? '' : fromKey).add(toKey)
  }
  const sorted = [...keys].toSorted()
  const heights = sorted.map((key, position) => {
    const next = sorted[position + 1]
    return Math.max(leastHeight, (next === undefined ? 1 : hashPart(next)) - hashPart(key))
  })
  const whole = heights.reduce((sum, height) => sum + height, 0)
  const places = new Map<string, number>()
  let at = 0
  for (const [position, key] of sorted.entries()) {
    places.set(key, at / whole)
    at += heights[position] ?? 0
  }
  return {
    boundaries: [...places].map(([key, place]) => ({ key, at: place })),
    at: (key, isEnd) => (isEnd && key === '' ? 1 : (places.get(isStart(key) ? '' : key) ?? 0)),
  }
}

/** `40000000` as people read it: a partition's first hash, without the zeros behind, or without most of its digits. */
export function keyLabel(key: string, digits = 8): string {
  const short = key.slice(0, digits).replace(/0+$/, '')
  return `${short.padEnd(2, '0')}${key.length > 8 && digits >= 8 ? '…' : ''}`
}

/** `40–80`: the hashes from the first up to, but not with, the second. */
export function rangeLabel(fromKey: string, toKey: string): string {
  return `${keyLabel(fromKey)}–${toKey === '' ? 'ff' : keyLabel(toKey)}`
}

function isStart(key: string): boolean {
  return /^0*$/.test(key)
}

function hashPart(key: string): number {
  return key === '' ? 0 : Number.parseInt(key.slice(0, 8).padEnd(8, '0'), 16) / 2 ** 32
}
