import { randomBytes } from 'node:crypto'

interface Grant {
  readonly connection: string
  readonly holder: string
  readonly endsAtMs: number
}

const lastingMs = 3_600_000
const mostGrants = 1000

/** Who may write to connections that are read-only otherwise. Somebody switches it on in one tab of a browser, and that tab
 *  may write from then on, until it is reloaded or an hour has passed. Others stay as they are. */
export class WritingGrants {
  readonly #grants = new Map<string, Grant>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  begin(connection: string, holder: string): string {
    const [oldest] = this.#grants.keys()
    if (this.#grants.size >= mostGrants && oldest !== undefined) this.#grants.delete(oldest)
    const grant = randomBytes(18).toString('base64url')
    this.#grants.set(grant, { connection, holder, endsAtMs: this.#now() + lastingMs })
    return grant
  }

  holds(grant: string | null, connection: string, holder: string): boolean {
    const found = this.#grants.get(grant ?? '')
    return (
      found !== undefined &&
      found.connection === connection &&
      found.holder === holder &&
      found.endsAtMs > this.#now()
    )
  }

  end(grant: string): void {
    this.#grants.delete(grant)
  }

  /** A connection is gone; another one may get its name. */
  endAll(connection: string): void {
    for (const [grant, held] of this.#grants) if (held.connection === connection) this.#grants.delete(grant)
  }
}
