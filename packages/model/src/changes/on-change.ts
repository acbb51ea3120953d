import type { AnyModel } from '../model/model.ts'
import { ChangeReader, decodeChange, type ReadStreamOptions } from './change-reader.ts'
import type { Insert, Modify, Remove } from './change.ts'
import type { AnyStreamRecord } from './stream-record.ts'

/** What a program does when an item of an entity changes. */
export type ChangeHandlers<M extends AnyModel> = {
  readonly [N in keyof M['$']['entities']]?: {
    readonly insert?: (change: Insert<M['$']['entities'][N]>) => unknown
    readonly modify?: (change: Modify<M['$']['entities'][N]>) => unknown
    readonly remove?: (change: Remove<M['$']['entities'][N]>) => unknown
  }
}

export interface OnChangeOptions extends ReadStreamOptions {
  /** What became of an error, before the batch is reported as failed from there on. */
  readonly onError?: (error: unknown, record: AnyStreamRecord) => void
}

export interface StreamEvent {
  readonly Records: readonly AnyStreamRecord[]
}

/** What Lambda expects from an event source mapping with `ReportBatchItemFailures`. */
export interface BatchResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[]
}

export type StreamHandler = (event: StreamEvent) => Promise<BatchResponse>

/** A handler for Lambda: one change after the other, in the order of the stream. If one fails, the batch fails from there on,
 *  and what came before is not repeated (if the event source mapping has `ReportBatchItemFailures`).
 *
 *      export const handler = onChange(shop, { Order: { insert: ({ after }) => notify(after) } })
 */
export function onChange<M extends AnyModel>(
  model: M,
  handlers: ChangeHandlers<M>,
  options: OnChangeOptions = {},
): StreamHandler {
  const reader = new ChangeReader(model, { unknownEntities: 'skip', ...options })
  const byName = new Map(Object.entries(handlers as Readonly<Record<string, Handlers | undefined>>))
  return async ({ Records }) => {
    for (const record of Records) {
      try {
        for (const change of reader.changesIn(record)) {
          const handler = byName.get(change.entity.name)
          if (handler === undefined) continue
          const decoded = decodeChange(change)
          await handler[decoded.kind]?.(decoded)
        }
      } catch (error) {
        if (options.onError === undefined) console.error(error)
        else options.onError(error, record)
        return failedFrom(record)
      }
    }
    return { batchItemFailures: [] }
  }
}

type Handlers = Readonly<Partial<Record<'insert' | 'modify' | 'remove', (change: object) => unknown>>>

/** A batch is repeated from the first failure on, so one is enough. */
export function failedFrom(record: AnyStreamRecord): BatchResponse {
  const change: { readonly SequenceNumber?: string } | undefined = record.dynamodb
  const itemIdentifier = record.kinesis?.sequenceNumber ?? change?.SequenceNumber ?? ''
  return { batchItemFailures: [{ itemIdentifier }] }
}
