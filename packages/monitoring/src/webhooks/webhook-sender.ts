import { receivers, type ReceiverOptions } from './receivers.ts'

/** Sends JSON to the receivers that the operator allows. */
export interface WebhookSender {
  /** Why a receiver may not be called; undefined if it may. */
  refusalOf(url: string): string | undefined
  /** What went wrong, if anything did. */
  send(url: string, body: string): Promise<string | undefined>
}

const timeoutMs = 10_000

export function webhookSender(options: ReceiverOptions): WebhookSender {
  const allowed = receivers(options)
  const refusalOf = (url: string): string | undefined => {
    const permission = allowed.permit(url)
    return permission.kind === 'refused' ? permission.reason : undefined
  }
  return {
    refusalOf,
    async send(url, body) {
      const permission = allowed.permit(url)
      if (permission.kind === 'refused') return permission.reason
      try {
        const { post } = await import('./post.ts')
        const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'User-Agent': 'hashrange' }
        const { mayConnectTo } = permission
        const status = await post(new URL(url), { headers, body, timeoutMs, mayConnectTo })
        return status >= 200 && status < 300 ? undefined : `it answered with status ${status}`
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
  }
}
