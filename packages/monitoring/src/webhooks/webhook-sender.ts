import { receivers, type ReceiverOptions } from './receivers.ts'

/** Calls the receivers that the operator allows. */
export interface WebhookSender {
  /** Why a receiver may not be called; undefined if it may. */
  refusalOf(url: string): string | undefined
  /** Sends JSON. Returns what went wrong, if anything did. */
  send(url: string, body: string): Promise<string | undefined>
  call(request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }): Promise<string | undefined>
}

const timeoutMs = 10_000

export function webhookSender(options: ReceiverOptions): WebhookSender {
  const allowed = receivers(options)
  const refusalOf = (url: string): string | undefined => {
    const permission = allowed.permit(url)
    return permission.kind === 'refused' ? permission.reason : undefined
  }
  const call: WebhookSender['call'] = async ({ method, url, headers, body }) => {
    const permission = allowed.permit(url)
    if (permission.kind === 'refused') return permission.reason
    try {
      const { post } = await import('./post.ts')
      const { mayConnectTo } = permission
      const status = await post(new URL(url), { method, headers, body, timeoutMs, mayConnectTo })
      return status >= 200 && status < 300 ? undefined : `it answered with status ${status}`
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'User-Agent': 'hashrange' }
  return { refusalOf, call, send: (url, body) => call({ method: 'POST', url, headers, body }) }
}
