import type { CopyState } from '@hashrange/workbench/answers'
import { ApiRefusal, isJsonObject, type ApiCall, type ApiHandler, type WorkbenchContext } from '../api-handler.ts'
import { databaseAt, holderOf, type Database } from '../connections/database-at.ts'
import type { ItemsToCopy } from './copy-job.ts'

const mostTables = 500
const mostKeys = 100_000

/** `copies/begin`, `copies/state` and `copies/cancel`: tables or items, from one database to another. */
export const copies: ApiHandler = async (context, call): Promise<CopyState> => {
  const holder = holderOf(call.visitor)
  const { path, body } = call
  if (path[0] === 'begin') {
    const request = {
      from: databaseOf(context, call, body['from']),
      to: databaseOf(context, call, body['to']),
      ...whatOf(body),
    }
    return context.copies.begin(holder, request, (error) => explain(error, context))
  }
  const job = context.copies.require(holder, String(body['id']))
  if (path[0] === 'cancel') job.cancel()
  else if (path[0] !== 'state')
    throw new ApiRefusal(404, 'NotFound', 'The workbench API has no such action of copies.')
  return job.state
}

/** As other requests name it, but in the body, since there are two of them. */
function databaseOf(context: WorkbenchContext, call: ApiCall, text: unknown): Database {
  if (typeof text !== 'string') throw new ApiRefusal(400, 'BadRequest', 'Say where to copy from, and where to.')
  return databaseAt(context, call, new URLSearchParams(text))
}

function whatOf({ tables, items }: ApiCall['body']): { tables: readonly string[] } | { items: ItemsToCopy } {
  if (Array.isArray(tables) && tables.length > 0 && tables.length <= mostTables)
    return { tables: tables.map(String) }
  if (isJsonObject(items)) {
    const { tableName, toTableName = tableName, keys } = items
    if (
      typeof tableName === 'string' &&
      typeof toTableName === 'string' &&
      Array.isArray(keys) &&
      keys.length <= mostKeys &&
      keys.every(isJsonObject)
    ) {
      return { items: { tableName, toTableName, keys } }
    }
  }
  throw new ApiRefusal(
    400,
    'BadRequest',
    `Say what to copy: up to ${mostTables} tables, or up to ${mostKeys} items of one.`,
  )
}

function explain(error: unknown, { logger }: WorkbenchContext): string {
  if (!(error instanceof Error)) return String(error)
  if (!('code' in error) && error.constructor !== Error) logger.error('hashrange: a copy failed:', error)
  return error.message
}
