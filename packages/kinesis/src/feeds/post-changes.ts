import { createHmac } from 'node:crypto'

export interface ChangePost {
  readonly url: string
  readonly secret: string
  readonly body: string
  /** The same each time the batch is sent. */
  readonly deliveryId: string
  readonly nowMs: number
  readonly stopping: AbortSignal
}

const timeoutMs = 10_000

/** Sends changes to a webhook; returns what went wrong, or undefined. Redirects are not followed, and the answer is not
 *  read: its status counts. */
export async function postChanges(post: ChangePost): Promise<string | undefined> {
  const { url, body, deliveryId, stopping } = post
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'hashrange',
        'X-Hashrange-Delivery': deliveryId,
        'X-Hashrange-Signature': signatureOf(post.secret, body, post.nowMs),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `it answered with status ${response.status}`
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    if (error.name === 'TimeoutError') return 'it did not answer in time'
    return error.cause instanceof Error ? error.cause.message : error.message
  }
}

/** `t=<seconds>,v1=<HMAC-SHA256 of "seconds.body" in hexadecimal>`: the time is signed too, so that a receiver can refuse
 *  what is old. */
export function signatureOf(secret: string, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
