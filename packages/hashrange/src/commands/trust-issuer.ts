import { readFileSync, statSync } from 'node:fs'
import tls from 'node:tls'
import { Mistake } from '../mistake.ts'

/** The flag of every command that communicates with a server; `readFlags` applies it. */
export const serverFlags = { ca: { type: 'string' } } as const

/** Makes this process accept servers whose certificate was issued by one of those in the file, besides those that
 *  Node accepts anyway. The process runs one command, and everything in it that speaks TLS (fetch, the SDKs) should
 *  accept them: so it is set for the whole process. A server runs for years, so the file is read again when it has
 *  changed: issuers are replaced like the certificates that they issue. */
export function trustIssuer(file: string): void {
  const issuersNow = changingFile(file)
  // Node itself only knows NODE_EXTRA_CA_CERTS, which is read before any of our code runs; only its newest versions have a function for it.
  const extra = process.env['NODE_EXTRA_CA_CERTS']
  const known = [...tls.rootCertificates, ...(extra === undefined ? [] : [readFileSync(extra, 'utf8')])]
  const { createSecureContext } = tls
  tls.createSecureContext = (options = {}) =>
    createSecureContext(options.ca === undefined ? { ...options, ca: [...known, ...issuersNow()] } : options)
}

/** The certificates in a file, as it is now. What cannot be read later does not count: those that were read before stay. */
function changingFile(file: string): () => readonly string[] {
  let seen = versionOf(file)
  let found: readonly string[] = readCertificates(file)
  return () => {
    const version = versionOf(file)
    if (version === seen) return found
    seen = version
    try {
      found = readCertificates(file)
    } catch (error) {
      if (!(error instanceof Mistake)) throw error
    }
    return found
  }
}

function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`
}

function readCertificates(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Mistake(`--ca: ${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  }
  const found = text.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^]*?-----END (?:TRUSTED )?CERTIFICATE-----/g)
  if (found === null) {
    throw new Mistake(`--ca: ${file} contains no certificate. It must be a PEM file: -----BEGIN CERTIFICATE-----.`)
  }
  return found
}
