import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { isPem, TlsError, type TlsOptions } from './tls-options.ts'

export interface Credentials {
  readonly context: SecureContextOptions
  /** Of the server's own certificate. */
  readonly validFrom: Date
  readonly validTo: Date
}

/** Reads and checks what TLS needs, so that a server never uses a certificate without its key. Throws a TlsError. */
export function readCredentials({ cert, key, clientCa }: TlsOptions): Credentials {
  const certText = readPem('cert', cert)
  const keyText = readPem('key', key)
  const caText = clientCa === undefined ? undefined : readPem('clientCa', clientCa)
  const certificate = parseCertificate('cert', cert, certText)
  if (caText !== undefined) parseCertificate('clientCa', clientCa ?? '', caText)
  checkKey(key, keyText, certificate, cert)
  const context: SecureContextOptions = {
    cert: certText,
    key: keyText,
    ...(caText !== undefined && { ca: caText }),
    minVersion: 'TLSv1.2',
  }
  try {
    createSecureContext(context)
  } catch (error) {
    throw new TlsError('cert', `${named(cert)} cannot be used for TLS: ${messageOf(error)}.`, error)
  }
  return { context, validFrom: new Date(certificate.validFrom), validTo: new Date(certificate.validTo) }
}

function readPem(part: keyof TlsOptions, fileOrText: string): string {
  if (isPem(fileOrText)) return fileOrText
  let text: string
  try {
    text = readFileSync(fileOrText, 'utf8')
  } catch (error) {
    throw new TlsError(part, `${fileOrText} cannot be read: ${messageOf(error)}.`, error)
  }
  if (isPem(text)) return text
  throw new TlsError(part, `${fileOrText} is not a PEM file. A PEM file contains a line such as ${example[part]}.`)
}

const example: Readonly<Record<keyof TlsOptions, string>> = {
  cert: '-----BEGIN CERTIFICATE-----',
  key: '-----BEGIN PRIVATE KEY-----',
  clientCa: '-----BEGIN CERTIFICATE-----',
}

function parseCertificate(part: keyof TlsOptions, source: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch (error) {
    throw new TlsError(part, `${named(source)} does not contain a certificate that can be read.`, error)
  }
}

function checkKey(source: string, text: string, certificate: X509Certificate, certSource: string): void {
  let key: ReturnType<typeof createPrivateKey>
  try {
    key = createPrivateKey(text)
  } catch (error) {
    const isLocked = /ENCRYPTED/.test(text)
    const why = isLocked
      ? 'is protected by a passphrase. Write it without one: openssl pkey -in locked.pem -out key.pem'
      : 'does not contain a private key that can be read.'
    throw new TlsError('key', `${named(source)} ${why}`, error)
  }
  if (!certificate.checkPrivateKey(key)) {
    throw new TlsError(
      'key',
      `The key in ${named(source)} does not belong to the certificate in ${named(certSource)}.`,
    )
  }
}

/** A text that was given instead of a file is not repeated: it may be a key. */
function named(source: string): string {
  return isPem(source) ? 'the given text' : source
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
