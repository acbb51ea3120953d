import type { Lease, RecordSpace, Scope, ServiceHost, TableDefinition } from '@hashrange/engine'
import { cursorFromNow, nextBatches, type LogBatch } from '../changes/log-cursor.ts'
import { destinationEvent } from '../destinations/destination-event.ts'
import { postChanges } from './post-changes.ts'
import {
  webhookHolder,
  webhookName,
  webhookRecords,
  type DeclaredWebhook,
  type WebhookRecord,
} from './webhook-record.ts'

export interface WebhookOptions {
  readonly webhooks: readonly DeclaredWebhook[]
  /** Signs what is sent. */
  readonly secret: string
  readonly onError: (error: unknown) => void
  readonly firstPauseMs?: number
  /** How long a webhook may fail before it is disabled. */
  readonly disabledAfterMs?: number
}

const changesAtOnce = 100
const longestPauseMs = 60_000
const dayMs = 86_400_000

/** Sends the changes of tables to the webhooks that were declared, each on one of the servers that share the store. */
export function runWebhooks(host: ServiceHost, options: WebhookOptions): void {
  const records = webhookRecords(host)
  host.background.run(() => begin(host, records, options.webhooks))
  for (const webhook of options.webhooks) {
    host.background.every(500, async (stopping) => {
      await host.background.hold(webhookHolder(webhook), stopping, (lease) =>
        new WebhookDelivery(host, records, webhook, options, lease).run(),
      )
    })
  }
}

/** What is no longer declared is forgotten, and its log is released. A webhook that was disabled gets another chance. */
async function begin(
  host: ServiceHost,
  records: RecordSpace<WebhookRecord>,
  declared: readonly DeclaredWebhook[],
): Promise<void> {
  const names = new Set(declared.map(webhookName))
  for (const { scope, record } of await records.all()) {
    if (names.has(record.name) && record.status !== 'DISABLED') continue
    await records.change(scope, [record.name], () => undefined)
    if (host.definitionOf(scope, record.tableName) !== undefined) {
      await host.logs.hold(scope, record.tableName, webhookHolder(record), false)
    }
  }
}

class WebhookDelivery {
  readonly #host: ServiceHost
  readonly #records: RecordSpace<WebhookRecord>
  readonly #webhook: DeclaredWebhook
  readonly #options: WebhookOptions
  readonly #lease: Lease

  constructor(
    host: ServiceHost,
    records: RecordSpace<WebhookRecord>,
    webhook: DeclaredWebhook,
    options: WebhookOptions,
    lease: Lease,
  ) {
    this.#host = host
    this.#records = records
    this.#webhook = webhook
    this.#options = options
    this.#lease = lease
  }

  /** Until the lease ends, or the table does. */
  async run(): Promise<void> {
    const { tableName } = this.#webhook
    const [scope, another] = this.#host.scopesOf(tableName)
    if (scope === undefined) return
    if (another !== undefined) {
      this.#options.onError(new Error(`There are several tables called ${tableName}. A webhook needs just one.`))
      return this.#pause(longestPauseMs)
    }
    while (!this.#lease.aborted) {
      const table = await this.#host.logs.table(scope, tableName)
      if (table === undefined) return
      const record = await this.#recordOf(scope, table)
      if (record.status === 'DISABLED') return this.#pause(longestPauseMs)
      const batches = await nextBatches(this.#host.logs, table, record.cursor, changesAtOnce)
      for (const batch of batches) {
        if (!(await this.#deliver(scope, table, batch))) return
      }
      if (batches.length === 0) await this.#pause(200)
    }
  }

  async #recordOf(scope: Scope, table: TableDefinition): Promise<WebhookRecord> {
    const name = webhookName(this.#webhook)
    const found = await this.#records.get(scope, [name])
    if (found?.cursor.tableId === table.tableId) return found
    const held = await this.#host.logs.hold(scope, table.tableName, webhookHolder(this.#webhook), true)
    const cursor = await cursorFromNow(this.#host.logs, held)
    const made: WebhookRecord = { ...this.#webhook, name, status: 'ACTIVE', delivered: 0, cursor }
    await this.#records.change(scope, [name], () => made)
    return made
  }

  /** Tries until it succeeds, the lease ends, or the webhook has failed for too long. */
  async #deliver(scope: Scope, table: TableDefinition, { shardId, changes, cursor }: LogBatch): Promise<boolean> {
    const { secret, onError, firstPauseMs = 500, disabledAfterMs = dayMs } = this.#options
    const events = changes.map((change): unknown =>
      JSON.parse(destinationEvent(table, change, undefined).data.toString()),
    )
    const body = JSON.stringify({ tableName: table.tableName, changes: events })
    const deliveryId = `${table.tableId}-${shardId}-${changes[0]?.sequence ?? 0n}`
    for (let attempt = 0; !this.#lease.aborted; attempt++) {
      const { background, clock } = this.#host
      const nowMs = clock.now()
      const post = {
        url: this.#webhook.url,
        secret,
        body,
        deliveryId,
        nowMs,
        stopping: background.stopping,
      }
      const problem = events.length === 0 ? undefined : await postChanges(post)
      if (problem === undefined) {
        await this.#update(scope, (record) => ({
          ...withoutProblem(record),
          status: 'ACTIVE',
          delivered: record.delivered + events.length,
          lastDeliveredAtMs: nowMs,
          cursor,
        }))
        return true
      }
      if (background.stopping.aborted) return false
      if (attempt === 0) onError(new Error(`The webhook of ${table.tableName} failed: ${problem}.`))
      const isOver = await this.#noteFailure(scope, problem, disabledAfterMs)
      if (isOver) {
        onError(new Error(`The webhook of ${table.tableName} has failed for too long and is now disabled.`))
        await this.#host.logs.hold(scope, table.tableName, webhookHolder(this.#webhook), false)
        return false
      }
      await this.#pause(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 20)))
    }
    return false
  }

  /** Returns whether the webhook is disabled now. */
  async #noteFailure(scope: Scope, lastProblem: string, disabledAfterMs: number): Promise<boolean> {
    const nowMs = this.#host.clock.now()
    let isOver = false
    await this.#update(scope, (record) => {
      const failingSinceMs = record.failingSinceMs ?? nowMs
      isOver = nowMs - failingSinceMs >= disabledAfterMs
      return { ...record, status: isOver ? 'DISABLED' : 'FAILING', failingSinceMs, lastProblem }
    })
    return isOver
  }

  async #update(scope: Scope, change: (record: WebhookRecord) => WebhookRecord): Promise<void> {
    const parts = [webhookName(this.#webhook)]
    await this.#lease.transact([this.#records.key(scope, parts)], ([value]) => {
      const current = this.#records.decode(value)
      if (current === undefined) return { writes: [], answer: undefined }
      return { writes: [this.#records.put(scope, parts, change(current))], answer: undefined }
    })
  }

  /** In short steps, so that a server that stops need not wait. */
  async #pause(ms: number): Promise<void> {
    const untilMs = performance.now() + ms
    while (!this.#lease.aborted && performance.now() < untilMs) {
      const stepMs = Math.min(200, Math.max(1, untilMs - performance.now()))
      await new Promise((resolve) => setTimeout(resolve, stepMs).unref())
    }
  }
}

function withoutProblem(record: WebhookRecord): WebhookRecord {
  const { failingSinceMs: _, lastProblem: __, ...rest } = record
  return rest
}
