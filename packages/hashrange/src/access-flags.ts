import type { AccessOptions } from '@hashrange/server'

export const accessFlags = {
  'allowed-hosts': { type: 'string', multiple: true },
  cors: { type: 'string', multiple: true },
  webhooks: { type: 'string', multiple: true },
} as const

type Values = { readonly [flag in keyof typeof accessFlags]?: readonly string[] | undefined }

export interface AccessSettings extends AccessOptions {
  /** The addresses below which receivers of alarms are allowed. */
  readonly webhooks?: readonly string[] | undefined
}

/** The flags about who may send requests and which receivers may be called, or what is wrong with them. Each may
 *  occur several times, and may contain several values separated by commas. `setting` reads the environment. */
export function readAccessFlags(
  values: Values,
  setting: (name: string) => string | undefined,
): AccessSettings | { readonly mistake: string } {
  const allowedHosts = listOf(values['allowed-hosts'], setting('HASHRANGE_ALLOWED_HOSTS'))
  const wrongHost = allowedHosts?.find((host) => !isHostPattern(host))
  if (wrongHost !== undefined) {
    return {
      mistake: `--allowed-hosts takes host names without a port, such as db.example.com or .example.com, or *. It cannot be "${wrongHost}".`,
    }
  }
  const cors = listOf(values.cors, setting('HASHRANGE_CORS'))
  const wrongOrigin = cors?.find((origin) => !isOrigin(origin))
  if (wrongOrigin !== undefined) {
    return {
      mistake: `--cors takes the origin of a web page, such as https://app.example.com, or *. It cannot be "${wrongOrigin}".`,
    }
  }
  const webhooks = listOf(values.webhooks, setting('HASHRANGE_WEBHOOKS'))
  const wrongAddress = webhooks?.find((address) => !isWebhookPrefix(address))
  if (wrongAddress !== undefined) {
    return {
      mistake: `--webhooks takes addresses, such as https://hooks.example.com/alarms/, or * or none. It cannot be "${wrongAddress}".`,
    }
  }
  return { allowedHosts, cors, webhooks }
}

function listOf(typed: readonly string[] | undefined, setting: string | undefined): readonly string[] | undefined {
  const texts = typed ?? (setting === undefined ? undefined : [setting])
  return texts?.flatMap((text) => text.split(',').map((part) => part.trim())).filter((part) => part !== '')
}

export function isHostPattern(text: string): boolean {
  return text === '*' || /^\.?[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?$/i.test(text)
}

/** `null` is the origin of local HTML files. */
export function isOrigin(text: string): boolean {
  if (text === '*' || text === 'null') return true
  if (!URL.canParse(text)) return false
  const { origin, href } = new URL(text)
  // Browser extensions have their own schemes, whose origins the standard does not know.
  return origin === 'null' ? /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/i.test(text) : href === `${origin}/`
}

export function isWebhookPrefix(text: string): boolean {
  if (text === '*' || text === 'none') return true
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username + password + search + hash === ''
}
