import type { LogReader, Scope, TableDefinition } from '@hashrange/engine'
import type { HttpRequest, HttpResponse, Route } from '@hashrange/server'
import { cursorFromNow, cursorFromStart, type LogCursor } from '../changes/log-cursor.ts'
import { EventFeed } from './event-feed.ts'
import { decodeCursor } from './cursor-text.ts'

const changesPath = '/_hashrange/changes'

/** What a feed needs of a database. */
export interface FeedSource {
  readonly logs: LogReader
  scopesOf(tableName: string): readonly Scope[]
}

/** Each feed reads the log by itself. */
const mostFeeds = 100

/** The changes of a table as server-sent events:
 *
 *      GET /_hashrange/changes?table=…&after=…&account=…&region=…
 *
 *  Programs may ask, pages may not. */
export function changesRoute(source: FeedSource): Route {
  const feeds = new Set<EventFeed>()
  return async (request) => {
    if (request.target.split('?', 1)[0] !== changesPath) return undefined
    if (request.origin !== undefined) return refusal(403, 'Web pages are not allowed to read this.')
    if (request.method !== 'GET') return refusal(405, 'Use GET.')
    if (feeds.size >= mostFeeds) return refusal(503, `This server already has ${mostFeeds} change feeds.`)
    const asked = await readRequest(source, request)
    if ('status' in asked) return asked
    const feed = new EventFeed(source.logs, asked.scope, asked.table, asked.cursor)
    return {
      status: 200,
      headers: { ...safetyHeaders, 'Content-Type': 'text/event-stream; charset=utf-8' },
      body: Buffer.alloc(0),
      stream: (sink) => {
        feeds.add(feed)
        sink.onClose(() => {
          feeds.delete(feed)
          feed.stop()
        })
        feed.start(sink)
      },
    }
  }
}

interface AskedFeed {
  readonly scope: Scope
  readonly table: TableDefinition
  readonly cursor: LogCursor
}

async function readRequest(
  source: FeedSource,
  { target, lastEventId }: HttpRequest,
): Promise<AskedFeed | HttpResponse> {
  const { logs } = source
  const query = new URL(target, 'http://localhost').searchParams
  const tableName = query.get('table')
  if (tableName === null) return refusal(400, 'Say which table, such as ?table=orders.')
  const [account, region] = [query.get('account'), query.get('region')]
  const scopes = source
    .scopesOf(tableName)
    .filter(
      (scope) => (account === null || scope.accountId === account) && (region === null || scope.region === region),
    )
  const [scope] = scopes
  if (scope === undefined) return refusal(404, 'There is no such table.')
  if (scopes.length > 1) return refusal(400, 'There are several tables of this name. Give account and region.')
  const table = await logs.table(scope, tableName)
  if (table === undefined) return refusal(404, 'There is no such table.')
  if (!hasLog(table)) {
    return refusal(
      409,
      'This table keeps no changes. Enable a stream with UpdateTable and the StreamViewType NEW_AND_OLD_IMAGES.',
    )
  }
  const after = lastEventId ?? query.get('after') ?? 'now'
  if (after === 'now') return { scope, table, cursor: await cursorFromNow(logs, table) }
  if (after === 'start') return { scope, table, cursor: cursorFromStart(table) }
  const cursor = decodeCursor(after)
  if (cursor === undefined) {
    return refusal(400, 'after must be now, start, or the id of an event.')
  }
  if (cursor.tableId !== table.tableId) {
    return refusal(409, 'The table was deleted and created again since. Use after=start.')
  }
  return { scope, table, cursor }
}

function hasLog({ stream, recovery, logHolders = [] }: TableDefinition): boolean {
  return stream?.enabled === true || recovery !== undefined || logHolders.length > 0
}

const safetyHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

function refusal(status: number, sentence: string): HttpResponse {
  return {
    status,
    headers: { ...safetyHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
    body: Buffer.from(`${sentence}\n`),
  }
}
