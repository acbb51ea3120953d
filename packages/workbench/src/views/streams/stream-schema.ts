import { json, oneOf, text } from '../../state/url-state.ts'
import type { TailStart } from './stream-tail.ts'
import { eventKinds, type EventKind } from './stream-types.ts'

export const noKinds: readonly EventKind[] = []

/** What a link to a stream says. */
export const streamSchema = {
  from: oneOf(['latest', 'oldest', 'time'], 'latest'),
  /** The moment, as `2026-06-15T12:00`, in the user's own time zone. */
  at: text(),
  /** None means all of them. */
  events: json(noKinds, (value) =>
    Array.isArray(value) ? eventKinds.filter((kind) => value.includes(kind)) : noKinds,
  ),
  key: text(),
  text: text(),
  entity: text(),
  /** The record that is looked at. */
  record: text(),
}

/** A moment that is none is as good as none: then it begins with what comes. */
export function startOf(from: 'latest' | 'oldest' | 'time', at: string): TailStart {
  if (from !== 'time') return { kind: from }
  const ms = new Date(at).getTime()
  return Number.isNaN(ms) ? { kind: 'latest' } : { kind: 'time', atSeconds: Math.floor(ms / 1000) }
}
