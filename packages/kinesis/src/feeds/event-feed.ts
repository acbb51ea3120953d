import type { LogReader, Scope, TableDefinition } from '@hashrange/engine'
import type { ResponseSink } from '@hashrange/server'
import { nextBatches, type LogCursor } from '../changes/log-cursor.ts'
import { destinationEvent } from '../destinations/destination-event.ts'
import { encodeCursor } from './cursor-text.ts'

const changesAtOnce = 100
const pollMs = 200
const heartbeatMs = 15_000

/** One client that follows the changes of a table. It reads the log no faster than the client reads the events. */
export class EventFeed {
  readonly #logs: LogReader
  readonly #scope: Scope
  readonly #table: TableDefinition
  #cursor: LogCursor
  #sink: ResponseSink | undefined
  #isStopped = false
  #wake: (() => void) | undefined
  #spokeAtMs = performance.now()

  constructor(logs: LogReader, scope: Scope, table: TableDefinition, cursor: LogCursor) {
    this.#logs = logs
    this.#scope = scope
    this.#table = table
    this.#cursor = cursor
  }

  start(sink: ResponseSink): void {
    this.#sink = sink
    sink.onDrain(() => this.#wake?.())
    // The first bytes tell the client that it is connected, and where it is.
    void this.#say(`retry: 1000\nid: ${encodeCursor(this.#cursor)}\n: connected\n\n`)
      .then(() => this.#follow())
      .catch(() => sink.end())
  }

  stop(): void {
    this.#isStopped = true
    this.#wake?.()
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      const table = await this.#logs.table(this.#scope, this.#table.tableName)
      if (table?.tableId !== this.#table.tableId) {
        await this.#say('event: end\ndata: {"reason":"The table was deleted."}\n\n')
        this.#sink?.end()
        return
      }
      const batches = await nextBatches(this.#logs, table, this.#cursor, changesAtOnce)
      for (const { changes, cursor } of batches) {
        const events = changes.map(
          (change) =>
            `event: ${change.event}\ndata: ${destinationEvent(table, change, undefined).data.toString()}\n`,
        )
        // The last event of a batch says where the next one begins.
        const text = events.map((event, index) =>
          index === events.length - 1 ? `id: ${encodeCursor(cursor)}\n${event}\n` : `${event}\n`,
        )
        if (text.length > 0) await this.#say(text.join(''))
        this.#cursor = cursor
        if (this.#isStopped) return
      }
      if (batches.every(({ changes }) => changes.length === 0)) await this.#rest()
    }
  }

  async #rest(): Promise<void> {
    if (performance.now() - this.#spokeAtMs > heartbeatMs) await this.#say(': heartbeat\n\n')
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      timer.unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }

  /** Waits until the client has read what it was sent. A client that never does is disconnected by the server. */
  async #say(text: string): Promise<void> {
    this.#spokeAtMs = performance.now()
    if (this.#isStopped || this.#sink?.write(Buffer.from(text)) !== false) return
    await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#wake = undefined
  }
}
