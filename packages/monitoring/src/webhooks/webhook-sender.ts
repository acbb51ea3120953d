import { receivers, type ReceiverOptions } from './receivers.ts'

/** Calls the receivers that the operator allows. */
export interface WebhookSender {
  /** Why a receiver may not be called; undefined if it may. */
  refusalOf(url: string): string | undefined
  /** Sends JSON. Returns what went wrong, if anything did. */
  send(url: string, body: string): Promise<string | undefined>
  call(request: WebhookRequest): Promise<string | undefined>
  /** The same, and returns what the receiver answered. */
  ask(request: WebhookRequest): Promise<{ readonly failure: string } | { readonly body: string }>
}

export interface WebhookRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const timeoutMs = 10_000

export function webhookSender(options: ReceiverOptions): WebhookSender {
  const allowed = receivers(options)
  const refusalOf = (url: string): string | undefined => {
    const permission = allowed.permit(url)
    return permission.kind === 'refused' ? permission.reason : undefined
  }
  const send = async (request: WebhookRequest, isRead: boolean): ReturnType<WebhookSender['ask']> => {
    const { method, url, headers, body } = request
    const permission = allowed.permit(url)
    if (permission.kind === 'refused') return { failure: permission.reason }
    try {
      const { ask, post } = await import('./post.ts')
      const { mayConnectTo } = permission
      const options = { method, headers, body, timeoutMs, mayConnectTo }
      const answer = isRead
        ? await ask(new URL(url), options)
        : { status: await post(new URL(url), options), body: '' }
      const isGood = answer.status >= 200 && answer.status < 300
      return isGood ? { body: answer.body } : { failure: `it answered with status ${answer.status}` }
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) }
    }
  }
  const call: WebhookSender['call'] = async (request) => {
    const answer = await send(request, false)
    return 'failure' in answer ? answer.failure : undefined
  }
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'User-Agent': 'hashrange' }
  return {
    refusalOf,
    call,
    ask: (request) => send(request, true),
    send: (url, body) => call({ method: 'POST', url, headers, body }),
  }
}
