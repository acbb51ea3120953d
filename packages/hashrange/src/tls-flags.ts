import type { TlsOptions } from '@hashrange/server'

export const tlsFlags = {
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'tls-client-ca': { type: 'string' },
} as const

type Values = { readonly [flag in keyof typeof tlsFlags]?: string | undefined }

export interface TlsSettings {
  readonly tls?: TlsOptions | undefined
}

/** The flags about TLS, or what is wrong with them. `setting` reads the environment. */
export function readTlsFlags(
  values: Values,
  setting: (name: string) => string | undefined,
): TlsSettings | { readonly mistake: string } {
  const cert = values['tls-cert'] ?? setting('HASHRANGE_TLS_CERT')
  const key = values['tls-key'] ?? setting('HASHRANGE_TLS_KEY')
  const clientCa = values['tls-client-ca'] ?? setting('HASHRANGE_TLS_CLIENT_CA')
  if (cert === undefined && key === undefined) {
    if (clientCa === undefined) return {}
    return { mistake: '--tls-client-ca needs TLS. Add --tls-cert FILE and --tls-key FILE.' }
  }
  if (cert === undefined || cert === '') return { mistake: '--tls-key needs the certificate too: --tls-cert FILE.' }
  if (key === undefined || key === '') return { mistake: '--tls-cert needs the private key too: --tls-key FILE.' }
  if (clientCa === '') return { mistake: '--tls-client-ca needs a file, such as --tls-client-ca clients.pem.' }
  return { tls: { cert, key, clientCa } }
}
