import type { AlarmNotification, AlarmNotifier } from '@hashrange/engine'
import type { Logger } from './logger.ts'

export interface WebhookOptions {
  /** How long a receiver may take to answer. */
  readonly timeoutMs?: number
  /** How long to wait before each further attempt. */
  readonly retryAfterMs?: readonly number[]
}

/** Delivers the notifications of alarms by POST, as SNS does to an HTTP subscriber. A receiver that is away, or answers
 *  with an error, is tried again; what it says is not read. */
export function webhookNotifier(
  logger: Logger,
  { timeoutMs = 5_000, retryAfterMs = [1_000, 5_000] }: WebhookOptions = {},
): AlarmNotifier {
  return {
    async notify(url, notification, stopping) {
      let problem = ''
      for (const waitMs of [0, ...retryAfterMs]) {
        await pause(waitMs, stopping)
        if (stopping.aborted && waitMs > 0) break
        const outcome = await post(url, notification, timeoutMs)
        if (outcome.kind === 'delivered') return
        problem = outcome.problem
        // A receiver that refuses the notification itself will refuse it again.
        if (outcome.kind === 'refused') break
      }
      logger.error(`hashrange: an alarm could not be delivered to ${withoutSecrets(url)}: ${problem}`)
      throw new Error(problem)
    },
  }
}

type Outcome = { readonly kind: 'delivered' } | { readonly kind: 'refused' | 'failed'; readonly problem: string }

async function post(url: string, notification: AlarmNotification, timeoutMs: number): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=UTF-8',
        'User-Agent': 'hashrange',
        'x-amz-sns-message-type': 'Notification',
        'x-amz-sns-message-id': notification.MessageId,
      },
      body: JSON.stringify(notification),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    if (response.ok) return { kind: 'delivered' }
    const problem = `it answered with the status ${response.status}`
    const isRefused = response.status < 500 && response.status !== 429
    return { kind: isRefused ? 'refused' : 'failed', problem }
  } catch (error) {
    return { kind: 'failed', problem: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time'
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Addresses of receivers often carry their key in the path or the query. */
function withoutSecrets(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'an address'
}

/** Ends early when all is to stop. */
async function pause(ms: number, stopping: { readonly aborted: boolean }): Promise<void> {
  for (let waitedMs = 0; waitedMs < ms && !stopping.aborted; waitedMs += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
