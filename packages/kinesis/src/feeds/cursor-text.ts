import type { LogCursor } from '../changes/log-cursor.ts'

/** A cursor as clients hold it: the id of an event. */
export function encodeCursor(cursor: LogCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

const mostShards = 10_000

/** Undefined for a text that is none of ours. What a forged one reads is what its holder may read anyway. */
export function decodeCursor(text: string): LogCursor | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value !== 'object' || value === null) return undefined
    const { tableId, fromShard, positions } = value as Record<string, unknown>
    if (!isCount(tableId) || !isCount(fromShard)) return undefined
    if (typeof positions !== 'object' || positions === null || Array.isArray(positions)) return undefined
    const entries = Object.entries(positions)
    if (entries.length > mostShards) return undefined
    if (!entries.every(([shard, position]) => /^\d{1,10}$/.test(shard) && isPosition(position))) return undefined
    return { tableId, fromShard, positions: Object.fromEntries(entries) }
  } catch {
    return undefined
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 32
}

function isPosition(value: unknown): boolean {
  return value === 'end' || (typeof value === 'string' && /^\d{1,19}$/.test(value))
}
