import type { Socket } from 'node:net'
import type { Client } from 'pg'
import { readOnlyTransaction } from '../address/takes-no-writes.ts'
import { streamOf, withinTime } from '../address/within-time.ts'
import { grantWishes, sessionWishes } from '../session-settings.ts'
import type { Statement } from './statement.ts'
import { errorFields, Inbox, rowOf, type Row } from './inbox.ts'
import { Outbox, type Parameter } from './messages.ts'
import { LinkLost, SqlError } from './sql-error.ts'

/** One statement to run, and what to do with its rows. */
export interface Call {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
  readonly onRow?: (row: Row) => void
}

export interface LinkOptions {
  readonly connect: () => Promise<Client>
  /** Settings of the session. */
  readonly settings: Readonly<Record<string, string>>
  /** More settings that are made if the server supports the value. */
  readonly wishes?: Readonly<Record<string, string>>
  /** Prepared once, when the connection is created. */
  readonly statements: readonly Statement[]
  /** What is sent first on the connection. */
  readonly first?: Call
  /** How long the database may take for the setup after connecting. */
  readonly answerMs: number
}

/** One connection. `pg` creates it: it knows URLs, certificates and passwords. Afterwards we use our own messages:
 *  `pg` reads every column as text, and sends one statement at a time. */
export class Link {
  readonly #client: Client
  readonly #stream: Socket
  readonly #outbox = new Outbox()
  readonly #waiting: Waiting[] = []
  /** The names of the statements that were not prepared at the beginning. */
  readonly #known = new Set<string>()
  #waitingFrom = 0
  #lost: Error | undefined
  #busySinceMs: number | undefined
  #answeredAtMs = performance.now()
  #isOutdated = false
  #hasHalfCommitted = false
  #onLost: (() => void) | undefined

  private constructor(client: Client) {
    this.#client = client
    this.#stream = streamOf(client)
    const inbox = new Inbox((kind, bytes, from, to) => this.#receive(kind, bytes, from, to))
    this.#stream.removeAllListeners('data')
    this.#stream.on('data', (chunk: Buffer) => inbox.add(chunk))
    this.#stream.on('close', () => this.#fail(new LinkLost('The connection to the database was closed.')))
    client.on('error', (error) => this.#fail(new LinkLost('The connection to the database failed.', error)))
  }

  static async open(options: LinkOptions): Promise<Link> {
    const { connect, answerMs } = options
    const client = await connect()
    return withinTime(client, answerMs, () => Link.#prepared(client, options))
  }

  static async #prepared(client: Client, options: LinkOptions): Promise<Link> {
    const { settings, wishes = {}, statements, first } = options
    const names = Object.entries(settings)
    // `set_config` accepts any text; SET does not.
    if (names.length > 0) {
      const calls = names.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, false)`)
      await client.query(`SELECT ${calls.join(', ')}`, names.flat())
    }
    await grantWishes(client, { ...sessionWishes, ...wishes })
    const link = new Link(client)
    try {
      await link.#prepare(statements, first === undefined ? [] : [first])
    } catch (error) {
      link.destroy()
      throw error
    }
    return link
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** Whether it leads to a server that has become a standby: another connection may lead to its successor. */
  get isOutdated(): boolean {
    return this.#isOutdated
  }

  /** Since when something is running. */
  get busySinceMs(): number | undefined {
    return this.#busySinceMs
  }

  /** When it was created or last answered something completely. */
  get answeredAtMs(): number {
    return this.#answeredAtMs
  }

  /** Whether the last transaction was committed without the word of all nodes. Asking forgets it. */
  takeHalfCommitted(): boolean {
    const has = this.#hasHalfCommitted
    this.#hasHalfCommitted = false
    return has
  }

  onLost(listener: () => void): void {
    this.#onLost = listener
  }

  /** Runs the calls one after another, in one round trip. A failed call ends its group; the next group still runs.
   *  Each group's outcome is undefined, or the error that ended it. */
  async run(...groups: readonly (readonly Call[])[]): Promise<readonly (SqlError | undefined)[]> {
    const outcomes = groups.map((calls) => this.#collect(calls))
    this.#send()
    return Promise.all(outcomes)
  }

  /** One group of calls. */
  runOne(calls: readonly Call[]): Promise<SqlError | undefined> {
    const outcome = this.#collect(calls)
    this.#send()
    return outcome
  }

  /** Runs the calls in one round trip and leaves their transaction open for more, until `finish`. If one fails,
   *  throws and ends the transaction. */
  async runInTransaction(calls: readonly Call[]): Promise<void> {
    const outcome = this.#expect(calls, false)
    this.#write(calls, this.#waiting.length - 1)
    this.#outbox.flush()
    this.#send()
    const error = await outcome
    if (error === undefined) return
    await this.finish()
    throw error
  }

  /** Ends what `runInTransaction` has started. */
  async finish(): Promise<void> {
    const outcome = this.#expect([], true)
    this.#outbox.sync()
    this.#send()
    await outcome
  }

  /** Notifies the server, and waits for nothing. */
  end(): void {
    this.#lost ??= new LinkLost('The connection was ended.')
    void this.#client.end().catch(() => undefined)
  }

  destroy(reason: LinkLost = new LinkLost('The connection to the database was closed.')): void {
    this.#fail(reason)
  }

  async #prepare(statements: readonly Statement[], calls: readonly Call[]): Promise<void> {
    const outcome = this.#expect(calls, true)
    for (const statement of statements) this.#outbox.parse(statement)
    for (const { statement, parameters } of calls) this.#outbox.execute(statement.name, parameters)
    this.#outbox.sync()
    this.#send()
    const error = await outcome
    if (error !== undefined) throw error
  }

  /** A group that ends with a Sync. */
  #collect(calls: readonly Call[]): Promise<SqlError | undefined> {
    const outcome = this.#expect(calls, true)
    this.#write(calls, this.#waiting.length - 1)
    this.#outbox.sync()
    return outcome
  }

  #expect(calls: readonly Call[], untilReady: boolean): Promise<SqlError | undefined> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ calls, untilReady, resolve, reject, done: 0, parsing: [], error: undefined })
    })
  }

  /** `place` is that of the calls among what is waited for. */
  #write(calls: readonly Call[], place: number): void {
    for (const { statement, parameters } of calls) {
      const { name } = statement
      if (statement.isLazy === true && !this.#known.has(name)) {
        this.#known.add(name)
        this.#waiting[place]?.parsing.push(name)
        this.#outbox.parse(statement)
      }
      this.#outbox.execute(name, parameters)
    }
  }

  #send(): void {
    if (this.#lost !== undefined) return
    this.#busySinceMs ??= performance.now()
    this.#stream.write(this.#outbox.collected())
    this.#outbox.sent(this.#stream.writableLength === 0)
  }

  #receive(kind: number, bytes: Buffer, from: number, to: number): void {
    const waiting = this.#waiting[this.#waitingFrom]
    switch (kind) {
      case messageKind.dataRow:
        waiting?.calls[waiting.done]?.onRow?.(rowOf(bytes, from))
        return
      case messageKind.commandComplete:
        if (waiting === undefined) return
        waiting.done++
        if (!waiting.untilReady && waiting.done === waiting.calls.length) this.#settle(waiting)
        return
      case messageKind.parseComplete:
        waiting?.parsing.shift()
        return
      case messageKind.error:
        this.#refused(waiting, bytes.subarray(from, to))
        return
      case messageKind.readyForQuery:
        if (waiting !== undefined) this.#settle(waiting)
        return
      case messageKind.notice:
        // Citus commits, and warns, if a node does not confirm what it was told to commit.
        this.#hasHalfCommitted ||=
          errorFields(bytes.subarray(from, to)).get('M')?.startsWith('failed to commit transaction') === true
        return
      default:
        // Changed settings, and confirmations of what was sent.
        return
    }
  }

  #refused(waiting: Waiting | undefined, body: Buffer): void {
    const fields = errorFields(body)
    const detail = fields.get('D')
    const lines = `${fields.get('M') ?? 'unknown error'}${detail === undefined ? '' : `: ${detail}`}`
    const sentence = lines.replaceAll(/\s+/g, ' ')
    const error = new SqlError(fields.get('C') ?? 'XX000', sentence)
    // Before the server ends a connection it says why.
    if (waiting === undefined || fields.get('S') === 'FATAL') {
      this.#fail(new LinkLost('The database ended the connection.', error))
      return
    }
    waiting.error = error
    for (const name of waiting.parsing) this.#known.delete(name)
    this.#isOutdated ||= error.code === readOnlyTransaction
    // The server continues reading after the next Sync, which must still be sent.
    if (!waiting.untilReady) this.#settle(waiting)
  }

  #settle(waiting: Waiting): void {
    this.#answeredAtMs = performance.now()
    this.#waitingFrom++
    if (this.#waitingFrom === this.#waiting.length) {
      this.#waiting.length = 0
      this.#waitingFrom = 0
      this.#busySinceMs = undefined
    }
    waiting.resolve(waiting.error)
  }

  #fail(error: Error): void {
    if (this.#lost !== undefined) return
    this.#lost = error
    this.#stream.destroy()
    const waiting = this.#waiting.splice(this.#waitingFrom)
    this.#waitingFrom = 0
    for (const { reject } of waiting) reject(error)
    this.#onLost?.()
  }
}

/** What the server's responses belong to: a list of calls, up to the end of the last one or to the Sync after it. */
interface Waiting {
  readonly calls: readonly Call[]
  readonly untilReady: boolean
  readonly resolve: (error: SqlError | undefined) => void
  readonly reject: (error: Error) => void
  done: number
  /** The names of the statements that it prepares, and that the server has not prepared yet. */
  readonly parsing: string[]
  error: SqlError | undefined
}

const messageKind = {
  parseComplete: 0x31,
  dataRow: 0x44,
  commandComplete: 0x43,
  error: 0x45,
  notice: 0x4e,
  readyForQuery: 0x5a,
} as const
