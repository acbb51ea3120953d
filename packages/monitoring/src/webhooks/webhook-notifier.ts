import type { Logger } from '@hashrange/server'
import type { AlarmNotification, AlarmNotifier } from '../api/alarm-notifier.ts'
import { receivers, type Permission, type ReceiverOptions } from './receivers.ts'

export interface WebhookOptions extends ReceiverOptions {
  /** How long a receiver may take to answer. */
  readonly timeoutMs?: number
  /** How long to wait before each further attempt. */
  readonly retryAfterMs?: readonly number[]
}

/** Delivers the notifications of alarms by POST, as SNS does to an HTTP subscriber. If a receiver is unreachable or
 *  returns an error, it is tried again; its response is not read. */
export function webhookNotifier(
  logger: Logger,
  { timeoutMs = 5_000, retryAfterMs = [1_000, 5_000], webhooks, adviceOn }: WebhookOptions = {},
): AlarmNotifier {
  const allowed = receivers({ webhooks, adviceOn })
  return {
    refusalOf(url) {
      const permission = allowed.permit(url)
      return permission.kind === 'refused' ? permission.reason : undefined
    },
    async notify(url, notification, stopping) {
      // Alarms may be older than the operator's list.
      const permission = allowed.permit(url)
      let problem = permission.kind === 'refused' ? permission.reason : ''
      for (const waitMs of [0, ...retryAfterMs]) {
        await pause(waitMs, stopping)
        if (permission.kind === 'refused' || (stopping.aborted && waitMs > 0)) break
        const outcome = await deliver(url, notification, timeoutMs, permission)
        if (outcome.kind === 'delivered') return
        problem = outcome.problem
        // A receiver that rejects the notification itself will reject it again.
        if (outcome.kind === 'refused') break
      }
      logger.error(`hashrange: an alarm could not be delivered to ${withoutSecrets(url)}: ${problem}`)
      throw new Error(problem)
    },
  }
}

type Outcome = { readonly kind: 'delivered' } | { readonly kind: 'refused' | 'failed'; readonly problem: string }

async function deliver(
  url: string,
  notification: AlarmNotification,
  timeoutMs: number,
  { mayConnectTo }: Permission & { readonly kind: 'permitted' },
): Promise<Outcome> {
  const headers = {
    'Content-Type': 'application/json; charset=UTF-8',
    'User-Agent': 'hashrange',
    'x-amz-sns-message-type': 'Notification',
    'x-amz-sns-message-id': notification.MessageId,
  }
  try {
    // HTTP clients are loaded when there is something to send, and not at every start.
    const { post } = await import('./post.ts')
    const body = JSON.stringify(notification)
    const status = await post(new URL(url), { headers, body, timeoutMs, mayConnectTo })
    if (status >= 200 && status < 300) return { kind: 'delivered' }
    return {
      kind: status < 500 && status !== 429 ? 'refused' : 'failed',
      problem: `it answered with status ${status}`,
    }
  } catch (error) {
    return { kind: 'failed', problem: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return 'it did not answer in time'
  // A name with several addresses fails once for each, and the combined error has no message.
  return error instanceof AggregateError && error.errors[0] instanceof Error
    ? error.errors[0].message
    : error.message
}

/** Addresses of receivers often carry their key in the path or the query. */
function withoutSecrets(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'an address'
}

/** Ends early when everything must stop. */
async function pause(ms: number, stopping: { readonly aborted: boolean }): Promise<void> {
  for (let waitedMs = 0; waitedMs < ms && !stopping.aborted; waitedMs += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
