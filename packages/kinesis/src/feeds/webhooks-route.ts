import type { ServiceHost } from '@hashrange/engine'
import type { Route } from '@hashrange/server'
import { webhookRecords } from './webhook-record.ts'

/** How the webhooks of changes are doing: `GET /_hashrange/webhooks`. Addresses may contain secrets: only their origin is
 *  shown. */
export function webhooksRoute(host: ServiceHost): Route {
  const records = webhookRecords(host)
  return async ({ method, target, origin }) => {
    if (target.split('?', 1)[0] !== '/_hashrange/webhooks' || method !== 'GET' || origin !== undefined)
      return undefined
    const webhooks = (await records.all()).map(({ scope, record }) => {
      const { cursor: _, url, ...rest } = record
      return { ...scope, ...rest, url: new URL(url).origin }
    })
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
