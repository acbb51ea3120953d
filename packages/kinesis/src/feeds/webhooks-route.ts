import type { Scope, ServiceHost } from '@hashrange/engine'
import type { Route } from '@hashrange/server'
import { webhookRecords, type WebhookRecord } from './webhook-record.ts'

/** How a webhook is doing. Addresses may contain secrets: only their origin is shown. */
export type WebhookReport = Scope & Omit<WebhookRecord, 'cursor'>

export async function webhookReports(host: ServiceHost): Promise<readonly WebhookReport[]> {
  return (await webhookRecords(host).all()).map(({ scope, record }) => {
    const { cursor: _, url, ...rest } = record
    return { ...scope, ...rest, url: new URL(url).origin }
  })
}

/** How the webhooks of changes are doing: `GET /_hashrange/webhooks`. */
export function webhooksRoute(host: ServiceHost): Route {
  return async ({ method, target, origin }) => {
    if (target.split('?', 1)[0] !== '/_hashrange/webhooks' || method !== 'GET' || origin !== undefined)
      return undefined
    const webhooks = await webhookReports(host)
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
      body: Buffer.from(JSON.stringify({ webhooks })),
    }
  }
}
