/** What a server needs to speak TLS. Each is the path of a PEM file, or the PEM text itself. Files are read again when they change. */
export interface TlsOptions {
  /** The certificate of the server, followed by those of its issuers, without the root. */
  readonly cert: string
  /** The private key that belongs to it, without a passphrase. */
  readonly key: string
  /** The issuers whose client certificates are accepted. If given, a client without such a certificate is rejected. */
  readonly clientCa?: string | undefined
}

/** What is wrong with a certificate or a key, in a sentence. `part` says which of them it is. */
export class TlsError extends Error {
  override readonly name = 'TlsError'
  readonly part: keyof TlsOptions

  constructor(part: keyof TlsOptions, message: string, cause?: unknown) {
    super(message, { cause })
    this.part = part
  }
}

export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ')
}
