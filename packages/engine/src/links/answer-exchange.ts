import { setTimeout as pause } from 'node:timers/promises'
import type { Table } from '../catalog/table.ts'
import type { ReplicationCursor } from '../replication/cursor.ts'
import { outgoingAfter, type PageLimits } from '../replication/outgoing-changes.ts'
import { sequenceAt } from '../store/sequence.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import { changeLine, messageOf } from './change-lines.ts'
import type { LinkHost } from './link-host.ts'
import {
  linkVersion,
  type AskedTable,
  type ExchangeAnswer,
  type ExchangeRequest,
  type PageHead,
} from './link-messages.ts'
import { fingerprintOf, linkedTable, linkedTables, viewsOf } from './linked-tables.ts'
import { malformed } from './read-message.ts'

/** What a response holds in memory, at most: one page more than this. */
const bytesPerAnswer = 2 * 2 ** 20
const pageLimits: PageLimits = { entries: 1_000, bytes: 2 ** 20 }

/** A moment ahead of the clock that acknowledgements may be, because clocks are read now and then. */
const mostAheadMs = 60_000

interface Asked {
  readonly table: Table
  readonly id: string
  readonly to: string
  /** Moves on over what others wrote. */
  cursor: ReplicationCursor
  hasMoved: boolean
}

/** Sends what was written here after the positions of a request. If there is nothing, waits for it a while. */
export async function answerExchange(
  engine: LinkHost,
  acknowledgements: Acknowledgements,
  request: ExchangeRequest,
  stopping: AbortSignal,
): Promise<Buffer> {
  const { from, of, known } = request
  const asked = askedTables(engine, request)
  for (const { table, to, cursor } of asked) acknowledgements.note(table, to, cursor)
  const endsAtMs = performance.now() + request.waitMs
  for (;;) {
    // The link may be cut while a request waits.
    const { isCut, lagMs } = engine.regions.linkBetween(of, from)
    const tables = isCut ? [] : linkedTables(engine.catalog, from)
    const fingerprint = fingerprintOf(tables)
    const sent = isCut ? [] : await readPages(engine, acknowledgements, asked, Math.max(lagMs, request.lagMs))
    await acknowledgements.write()
    const isOver = stopping.aborted || performance.now() >= endsAtMs
    if (isOver || isCut || fingerprint !== known || sent.length > 0) {
      for (const { table, head } of sent) acknowledgements.sent(table, head.to, head.cursor, head.oldestAtMs)
      const answer: ExchangeAnswer = {
        version: linkVersion,
        from: of,
        nowMs: engine.clock.now(),
        fingerprint,
        views: isCut || fingerprint === known ? undefined : await viewsOf(engine, tables),
        gone: isCut ? [] : goneOf(engine, request),
        isCut,
        pages: isCut ? [] : [...sent.map(({ head }) => head), ...movedOnly(asked, sent)],
      }
      return messageOf(
        answer,
        sent.flatMap(({ lines }) => lines),
      )
    }
    await pause(lookMs, undefined, { signal: stopping }).catch(() => undefined)
    await engine.refresh()
  }
}

/** How often a response that waits looks for something to tell. */
const lookMs = 50

function askedTables(engine: LinkHost, { of, tables }: ExchangeRequest): readonly Asked[] {
  const end = sequenceAt(engine.clock.steady() + mostAheadMs)
  return tables.flatMap(({ id, region, cursor }: AskedTable): readonly Asked[] => {
    if (Object.values(cursor.positions).some((position) => BigInt(position) > end)) {
      throw malformed('a position is in the future')
    }
    const table = linkedTable(engine.catalog, id, of)
    return table === undefined ? [] : [{ table, id, to: region, cursor, hasMoved: false }]
  })
}

/** A replica that leaves asks for nothing any more, but tells of itself. */
function goneOf(engine: LinkHost, { of, tables, views = [] }: ExchangeRequest): readonly string[] {
  const ids = new Set([...tables, ...views].map(({ id }) => id))
  return [...ids].filter((id) => linkedTable(engine.catalog, id, of) === undefined)
}

interface SentPage {
  readonly table: Table
  readonly head: PageHead
  readonly lines: readonly Buffer[]
}

/** What was skipped need not be read again. */
function movedOnly(asked: readonly Asked[], sent: readonly SentPage[]): readonly PageHead[] {
  return asked
    .filter(
      ({ hasMoved, table, to }) => hasMoved && !sent.some((page) => page.table === table && page.head.to === to),
    )
    .map(({ id, to, cursor }) => ({ id, to, cursor, changes: 0 }))
}

/** What others wrote is skipped. Nobody waits for it, so it need not be acknowledged either. */
async function readPages(
  engine: LinkHost,
  acknowledgements: Acknowledgements,
  asked: readonly Asked[],
  lagMs: number,
): Promise<readonly SentPage[]> {
  const sent: SentPage[] = []
  let bytes = 0
  const untilMs = lagMs === 0 ? Infinity : engine.clock.steady() - lagMs
  for (const one of inTurn(asked)) {
    if (bytes >= bytesPerAnswer) break
    const { table, id, to } = one
    const page = await engine.store.view((snapshot) =>
      outgoingAfter(snapshot, table.definition, one.cursor, untilMs, pageLimits),
    )
    if (page.entries === 0) continue
    if (page.changes.length === 0) {
      one.cursor = page.cursor
      one.hasMoved = true
      acknowledgements.note(table, to, page.cursor)
      continue
    }
    const lines = page.changes.map(changeLine)
    bytes += lines.reduce((sum, line) => sum + line.length, 0)
    sent.push({
      table,
      head: { id, to, cursor: page.cursor, changes: lines.length, oldestAtMs: page.oldestAtMs },
      lines,
    })
  }
  return sent
}

/** From another table on each time: a busy one must not keep others from being sent. */
function inTurn<T>(all: readonly T[]): readonly T[] {
  const first = all.length === 0 ? 0 : Math.floor(performance.now()) % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}
