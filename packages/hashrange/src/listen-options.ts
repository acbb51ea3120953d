import type { AccessOptions, TlsOptions } from '@hashrange/server'
import { isHostPattern, isOrigin } from './access-flags.ts'
import { checkTexts } from './check-texts.ts'
import { closestWord } from './closest-word.ts'
import type { DaxSettings } from './dax/dax-flags.ts'

export interface ListenOptions extends AccessOptions, DaxSettings {
  /** 0 chooses a free one. */
  readonly port?: number | undefined
  /** The address to listen on; only this machine by default. */
  readonly host?: string | undefined
  /** Lets other machines reach a database that is not closed (`auth`): everyone can then read and write it. */
  readonly insecure?: boolean | undefined
  /** Serves over TLS: `{ cert, key, clientCa }`, each a PEM file or the PEM text itself. Files are read again when they change. */
  readonly tls?: TlsOptions | undefined
}

/** JavaScript does not check the types of a call, and an option that is not understood could leave a door open or
 *  closed. */
export function readListenOptions(options: ListenOptions | number, host: string | undefined): ListenOptions {
  if (typeof options === 'number') return { port: options, host }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const meant = closestWord(name, Object.keys(known))
    const advice =
      meant === undefined ? `The options are ${Object.keys(known).join(', ')}.` : `Did you mean ${meant}?`
    throw new TypeError(`listen has no option ${name}. ${advice}`)
  }
  checkTexts(
    'allowedHosts',
    options.allowedHosts,
    isHostPattern,
    "names without a port, such as ['db.example.com']",
  )
  checkTexts('cors', options.cors, isOrigin, "origins, such as ['https://app.example.com'] or ['*']")
  checkTls(options.tls)
  checkDax(options)
  return options
}

function checkDax({ daxPort, daxRecordTtlMs, daxQueryTtlMs, daxCacheMb }: DaxSettings): void {
  const isCount = (value: unknown): boolean =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)
  if (!isCount(daxPort) || (daxPort ?? 0) > 65_535)
    throw new TypeError('daxPort must be a number from 0 to 65535; 0 picks a free one.')
  if (!isCount(daxRecordTtlMs) || !isCount(daxQueryTtlMs))
    throw new TypeError('daxRecordTtlMs and daxQueryTtlMs must be numbers of milliseconds.')
  if (!isCount(daxCacheMb) || daxCacheMb === 0) throw new TypeError('daxCacheMb must be a number of megabytes.')
}

function checkTls(tls: unknown): void {
  if (tls === undefined) return
  if (typeof tls === 'object' && tls !== null) {
    const parts = Object.entries(tls).filter(([, value]) => value !== undefined)
    const isKnown = parts.every(
      ([name, value]) => /^(?:cert|key|clientCa)$/.test(name) && typeof value === 'string',
    )
    if (isKnown && 'cert' in tls && 'key' in tls) return
  }
  throw new TypeError(
    "tls must be { cert, key } or { cert, key, clientCa }: PEM files, such as './cert.pem', or PEM texts.",
  )
}

const known: Readonly<Record<keyof ListenOptions, true>> = {
  port: true,
  host: true,
  insecure: true,
  tls: true,
  cors: true,
  allowedHosts: true,
  daxPort: true,
  daxRecordTtlMs: true,
  daxQueryTtlMs: true,
  daxCacheMb: true,
}
