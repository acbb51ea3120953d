import { createHash } from 'node:crypto'
import type { RecordSpace, ServiceHost } from '@hashrange/engine'
import type { LogCursor } from '../changes/log-cursor.ts'

/** Where the operator wants the changes of a table to be sent. */
export interface DeclaredWebhook {
  readonly tableName: string
  readonly url: string
}

/** What is known of a webhook. ON DISK as JSON. */
export interface WebhookRecord {
  readonly name: string
  readonly tableName: string
  readonly url: string
  readonly status: 'ACTIVE' | 'FAILING' | 'DISABLED'
  readonly delivered: number
  readonly lastDeliveredAtMs?: number
  /** Present while deliveries fail. */
  readonly failingSinceMs?: number
  readonly lastProblem?: string
  readonly cursor: LogCursor
}

export function webhookRecords(host: ServiceHost): RecordSpace<WebhookRecord> {
  return host.records<WebhookRecord>('changeFeed')
}

/** Addresses may be longer than keys. */
export function webhookName({ tableName, url }: DeclaredWebhook): string {
  return `${tableName}-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`
}

/** Who holds the change log of a table with webhooks. */
export function webhookHolder(webhook: DeclaredWebhook): string {
  return `webhook ${webhookName(webhook)}`
}
