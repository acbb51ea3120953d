import type { TLSSocket } from 'node:tls'

/** What is known about the TLS connection of a request. */
export interface TlsDetails {
  /** Such as `TLSv1.3`. */
  readonly version: string
  readonly cipherSuite: string
  /** The common name in the certificate of the client, if one was asked for. */
  readonly clientName?: string | undefined
}

export function tlsDetailsOf(socket: TLSSocket): TlsDetails | undefined {
  const version = socket.getProtocol()
  if (version === null) return undefined
  const name = socket.authorized ? socket.getPeerCertificate()?.subject?.CN : undefined
  const clientName: unknown = Array.isArray(name) ? name[0] : name
  return {
    version,
    cipherSuite: socket.getCipher().standardName,
    ...(typeof clientName === 'string' && { clientName }),
  }
}
