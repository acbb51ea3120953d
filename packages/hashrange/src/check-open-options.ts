import { isWebhookPrefix } from './access-flags.ts'
import { checkTexts } from './check-texts.ts'
import { closestWord } from './closest-word.ts'
import type { OpenOptions } from './open-options.ts'
import { isPostgresUrl } from './store-place.ts'
import { withoutSecrets } from './without-secrets.ts'

/** JavaScript does not check the types of a call, and a path that is not understood would mean a database in memory:
 *  data that disappears with the process. Mistakes are reported in a sentence. */
export function checkOpenOptions(options: unknown): void {
  if (typeof options === 'string') {
    throw new TypeError(
      `open takes an object: open({ ${isPostgresUrl(options) ? 'store' : 'path'}: ${JSON.stringify(withoutSecrets(options))} }).`,
    )
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`open takes an object, such as open({ path: './data' }), not ${String(options)}.`)
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const meant = closestWord(name, Object.keys(known))
    const advice =
      meant === undefined ? `The options are ${Object.keys(known).join(', ')}.` : `Did you mean ${meant}?`
    throw new TypeError(`open has no option ${name}. ${advice}`)
  }
  if ('path' in options) checkText('path', options.path, "a folder, such as './data'")
  if ('store' in options) checkText('store', options.store, 'the URL of a PostgreSQL database')
  if ('path' in options && 'store' in options && options.path !== undefined && options.store !== undefined) {
    throw new TypeError('path and store both say where to keep the data. Use only one of them.')
  }
  if ('webhooks' in options) {
    checkTexts('webhooks', options.webhooks, isWebhookPrefix, "addresses, such as ['https://hooks.example.com/']")
  }
  if ('auth' in options) checkAuth(options.auth)
  if ('encryptionKey' in options && options.encryptionKey !== undefined) {
    const { encryptionKey: key } = options
    if (!(key instanceof Uint8Array) || key.length !== 32) {
      throw new TypeError(
        'encryptionKey must be a Buffer or Uint8Array of 32 bytes, such as one of randomBytes(32).',
      )
    }
    if (
      !('path' in options && options.path !== undefined) &&
      !('store' in options && options.store !== undefined)
    ) {
      throw new TypeError('encryptionKey needs a path or a store: data in memory is not encrypted.')
    }
  }
  if ('exportKey' in options && options.exportKey !== undefined) {
    const { exportKey: key } = options
    if (!(key instanceof Uint8Array) || key.length !== 32) {
      throw new TypeError('exportKey must be a Buffer or Uint8Array of 32 bytes, such as one of randomBytes(32).')
    }
  }
  if ('buckets' in options) checkText('buckets', options.buckets, "a folder, the address of a server, or 's3'")
}

/** What is not understood here would leave a door open. */
function checkAuth(auth: unknown): void {
  if (auth === undefined || typeof auth === 'boolean') return
  const options = ['credentials', 'identities', 'secretKey']
  if (typeof auth !== 'object' || auth === null) {
    throw new TypeError(`auth must be true, or an object with ${options.join(', ')}, not ${JSON.stringify(auth)}.`)
  }
  const unknown = Object.keys(auth).find((name) => !options.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`auth has no option ${unknown}. Its options are ${options.join(', ')}.`)
}

function checkText(name: string, value: unknown, what: string): void {
  if (value === undefined || (typeof value === 'string' && value !== '')) return
  throw new TypeError(`${name} must be ${what}, not ${JSON.stringify(value)}.`)
}

const known: Readonly<Record<keyof OpenOptions, true>> = {
  path: true,
  store: true,
  encryptionKey: true,
  accountId: true,
  auth: true,
  region: true,
  buckets: true,
  exportKey: true,
  throttling: true,
  consistency: true,
  consistencyLagMs: true,
  consistencySeed: true,
  dialect: true,
  streamRetentionMs: true,
  ttlSweepMs: true,
  webhooks: true,
  clock: true,
  maxClockOffsetMs: true,
  onWouldThrottle: true,
  logger: true,
}
