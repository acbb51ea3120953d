import { ApiConnection, NoAnswer, type ApiAnswer } from '../../support/api-connection.ts'
import { targetOf } from '../../support/api-client.ts'

/** What became of a request, as far as a client can know. */
export type Outcome =
  | { readonly kind: 'done'; readonly body: unknown }
  /** It has not happened. */
  | { readonly kind: 'refused'; readonly type: string; readonly body: unknown }
  /** It has happened, or will, or not. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** It never left. */
  | { readonly kind: 'not sent' }

export interface CallerOptions {
  readonly ports: readonly number[]
  /** Which of them to begin with. */
  readonly first: number
  readonly timeoutMs: number
  readonly region?: string
  /** Told of each answer that no client should get. */
  readonly onUnexpected: (what: string) => void
}

/** Asks one server for as long as it answers, then the next. */
export class Caller {
  readonly #options: CallerOptions
  readonly #connections: readonly ApiConnection[]
  #turn: number

  constructor(options: CallerOptions) {
    this.#options = options
    const { timeoutMs, region = 'us-east-1' } = options
    this.#connections = options.ports.map((port) => new ApiConnection({ port, timeoutMs, region }))
    this.#turn = options.first
  }

  async call(operation: string, input: object): Promise<Outcome> {
    const connection = this.#connections[this.#turn % this.#connections.length] as ApiConnection
    try {
      return this.#judge(operation, await connection.call(targetOf(operation), JSON.stringify(input)))
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      await this.#moveOn()
      return error.wasSent ? { kind: 'unknown', why: error.message } : { kind: 'not sent' }
    }
  }

  /** Asks until there is an answer, whichever server gives it. For what may happen twice; or what is refused with
   *  `repeated`, if a request that had no answer has done it already. */
  async insist<Answer>(operation: string, input: object, repeated?: string): Promise<Answer> {
    const deadlineMs = Date.now() + patienceMs
    let mayBeDone = false
    for (;;) {
      const outcome = await this.call(operation, input)
      if (outcome.kind === 'done') return outcome.body as Answer
      if (outcome.kind === 'unknown') mayBeDone = true
      if (outcome.kind === 'refused' && mayBeDone && outcome.type === repeated) return outcome.body as Answer
      if (outcome.kind === 'refused') throw new Error(`${operation} was refused: ${JSON.stringify(outcome.body)}`)
      if (Date.now() > deadlineMs) throw new Error(`${operation} has had no answer for ${patienceMs / 1_000} s`)
    }
  }

  /** Tells of something that no client should see. */
  report(what: string): void {
    this.#options.onUnexpected(what)
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  #judge(operation: string, { status, body }: ApiAnswer): Outcome | Promise<Outcome> {
    if (status === 200) return { kind: 'done', body }
    const type = (body as { __type?: string } | null)?.__type?.split('#').at(-1) ?? `${status}`
    // A region that cannot reach the others is certain that it has done nothing.
    if (status === 503 && /cannot reach the other Regions/.test(JSON.stringify(body))) {
      return this.#moveOn().then(() => ({ kind: 'refused', type, body }))
    }
    if (status < 500) {
      if (!expectedRefusals.has(type)) this.report(`${operation}: ${status} ${JSON.stringify(body)}`)
      return { kind: 'refused', type, body }
    }
    // A store that is away is told so, and is no server's fault.
    if (status !== 503) this.report(`${operation}: ${status} ${JSON.stringify(body)}`)
    return this.#moveOn().then(() => ({ kind: 'unknown', why: `${status} ${type}` }))
  }

  async #moveOn(): Promise<void> {
    this.#turn++
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const patienceMs = 120_000

/** How the service refuses what cannot be done now. */
const expectedRefusals = new Set([
  'ConditionalCheckFailedException',
  'ReplicatedWriteConflictException',
  'ResourceInUseException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
])
