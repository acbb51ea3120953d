import { statSync } from 'node:fs'
import type { Logger } from '../logger.ts'
import { readCredentials, type Credentials } from './read-credentials.ts'
import { isPem, type TlsOptions } from './tls-options.ts'

export interface WatchOptions {
  readonly tls: TlsOptions
  readonly logger: Logger
  /** How often the files are checked; every five seconds by default. */
  readonly everyMs?: number | undefined
}

/** A certificate that can be replaced without a restart. The files are polled rather than watched by the system:
 *  secrets of containers are links that are moved, which watches miss. If a new pair does not fit, the old one stays
 *  in use, and this is reported once. */
export class WatchedCredentials {
  current: Credentials
  readonly #options: WatchOptions
  readonly #files: readonly string[]
  readonly #timer: NodeJS.Timeout | undefined
  #seen: string
  #onChange: (credentials: Credentials) => void = () => undefined

  /** Throws a TlsError if there is nothing to start with. */
  constructor(options: WatchOptions) {
    const { cert, key, clientCa } = options.tls
    this.#options = options
    this.#files = [cert, key, ...(clientCa === undefined ? [] : [clientCa])].filter((source) => !isPem(source))
    this.#seen = this.#look()
    this.current = readCredentials(options.tls)
    this.#logDates()
    if (this.#files.length > 0) this.#timer = setInterval(() => this.check(), options.everyMs ?? 5_000).unref()
  }

  onChange(listener: (credentials: Credentials) => void): void {
    this.#onChange = listener
  }

  check(): void {
    const { tls, logger } = this.#options
    const seen = this.#look()
    if (seen === this.#seen) return
    // Kept even if reading fails: the same mistake is reported once, and checked again when a file has changed once
    // more.
    this.#seen = seen
    try {
      this.current = readCredentials(tls)
      this.#onChange(this.current)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      logger.error(
        `hashrange: the TLS files have changed and cannot be used. ${why} The old certificate stays in use.`,
      )
      return
    }
    logger.error(
      `hashrange: the TLS certificate was reloaded. It is valid until ${this.current.validTo.toISOString()}.`,
    )
    this.#logDates()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #logDates(): void {
    const { validFrom, validTo } = this.current
    const nowMs = Date.now()
    const { logger } = this.#options
    if (validTo.getTime() <= nowMs) {
      logger.error(
        `hashrange: the TLS certificate expired on ${validTo.toISOString()}. Clients will reject it until you replace it.`,
      )
    } else if (validFrom.getTime() > nowMs) {
      logger.error(`hashrange: the TLS certificate is not valid before ${validFrom.toISOString()}.`)
    }
  }

  #look(): string {
    return this.#files.map((file) => fingerprint(file)).join('\n')
  }
}

function fingerprint(file: string): string {
  try {
    const { ino, mtimeMs, ctimeMs, size } = statSync(file)
    return `${ino} ${mtimeMs} ${ctimeMs} ${size}`
  } catch {
    return 'missing'
  }
}
