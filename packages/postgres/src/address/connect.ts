import { Client, type ClientConfig } from 'pg'
import { plainSocket } from './plain-socket.ts'
import { takesNoWrites, type NoWrites } from './takes-no-writes.ts'
import { withinTime } from './within-time.ts'
import type { Host } from './store-url.ts'
import type { Encryption } from './tls.ts'

/** Where a database is, and how to connect to it. */
export interface Address {
  /** In the order in which they are tried. */
  readonly hosts: readonly Host[]
  readonly encryptions: readonly Encryption[]
  readonly session: SessionNeed
  /** How long a host that was connected may take to say what it is. */
  readonly answerMs: number
  /** What is the same for all hosts. */
  readonly client: ClientConfig
}

/** Which servers are acceptable (libpq's `target_session_attrs`). */
export type SessionNeed = 'any' | 'read-write' | 'primary'

/** Connects to a database with several hosts, one of which accepts writes at a time. The one that did last is tried
 *  first. */
export class Connector {
  readonly #address: Address
  #first = 0

  constructor(address: Address) {
    this.#address = address
  }

  /** Throws the error of the last host if it is the only one, otherwise the errors of all. */
  async connect(): Promise<Client> {
    const { hosts } = this.#address
    const failures: HostFailure[] = []
    for (let count = 0; count < hosts.length; count++) {
      const index = (this.#first + count) % hosts.length
      const host = hosts[index] ?? { name: undefined, port: undefined }
      try {
        const client = await this.#connectTo(host)
        this.#first = index
        return client
      } catch (error) {
        failures.push({ host, error })
      }
    }
    throw failureOf(failures)
  }

  async #connectTo(host: Host): Promise<Client> {
    const { encryptions, session } = this.#address
    // A socket on this machine needs none, and has none.
    const attempts = host.name?.startsWith('/') === true ? [false as const] : encryptions
    let failure: unknown
    for (const [attempt, ssl] of attempts.entries()) {
      try {
        const client = await this.#open(host, ssl)
        return session === 'any' ? client : await suited(client, session, this.#address.answerMs)
      } catch (error) {
        // If there are other ways to try: the first reason matters, unless the second way got further.
        if (attempt === 0 || !isAboutEncryption(error)) failure = error
        if (!isAboutEncryption(error)) break
      }
    }
    throw failure
  }

  async #open({ name, port }: Host, ssl: Encryption): Promise<Client> {
    const client = new Client({
      ...this.#address.client,
      ...(name !== undefined && { host: name }),
      ...(port !== undefined && { port }),
      // An object would be changed by `pg`.
      ssl: ssl === false ? false : { ...ssl },
      // TLS reads from its socket in its own way.
      ...(ssl === false && { stream: plainSocket }),
    })
    // Without a listener, an error after the attempt was given up would end the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch (error) {
      // A connection that failed halfway must not stay open.
      void client.end().catch(() => undefined)
      throw error
    }
    return client
  }
}

/** Whether another way of encrypting the connection may help: the server has no TLS, does not accept this user
 *  without it or with it, or the two cannot agree. */
function isAboutEncryption(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  if (code === '28000') return true
  return (
    message?.includes('does not support SSL') === true ||
    message?.includes('establishing an SSL connection') === true ||
    code?.startsWith('ERR_SSL') === true ||
    code?.startsWith('ERR_TLS') === true
  )
}

async function suited(client: Client, need: Exclude<SessionNeed, 'any'>, answerMs: number): Promise<Client> {
  try {
    const { rows } = await withinTime(client, answerMs, () =>
      client.query<{ standby: boolean; readonly: string }>(
        "SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS readonly",
      ),
    )
    const isStandby = rows[0]?.standby === true
    const isReadOnly = isStandby || rows[0]?.readonly === 'on'
    if (need === 'primary' ? !isStandby : !isReadOnly) return client
    throw new Unsuited(isStandby ? 'standby' : 'read-only')
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** A database that answers, and is not the kind that is needed. */
class Unsuited extends Error {
  readonly reason: NoWrites

  constructor(reason: NoWrites) {
    super(reason === 'standby' ? 'it is a standby' : 'default_transaction_read_only is on there')
    this.name = 'Unsuited'
    this.reason = reason
  }
}

interface HostFailure {
  readonly host: Host
  readonly error: unknown
}

function failureOf(failures: readonly HostFailure[]): Error {
  const [only] = failures
  if (failures.length === 1 && only?.error instanceof Unsuited) return takesNoWrites(only.error.reason)
  if (failures.length === 1 && only?.error instanceof Error) return only.error
  const said = failures.map(({ host: { name, port }, error }) => {
    const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error)
    return `${name ?? 'localhost'}${port === undefined ? '' : `:${port}`}: ${reason}`
  })
  return new Error(`none of its hosts can be used: ${said.join('; ')}`)
}
