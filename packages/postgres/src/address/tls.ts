import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { StorageError } from '@hashrange/engine'

/** Whether a connection is encrypted, and whom it trusts. */
export type Encryption = false | ConnectionOptions

/** What is tried on one host, in order, until the server agrees. `sslmode` has libpq's meaning (PostgreSQL's manual,
 *  "SSL Mode Descriptions"): by default, TLS is used if the server has it. */
export function encryptionsOf(
  parameters: ReadonlyMap<string, string>,
  environment: NodeJS.ProcessEnv,
): readonly Encryption[] {
  const setting = (name: string): string | undefined =>
    parameters.get(name) ?? (environment[`PG${name.toUpperCase()}`] || undefined)
  const mode = setting('sslmode') ?? 'prefer'
  if (!isMode(mode)) {
    throw new StorageError('io', `sslmode=${mode} for the store is unknown. Use one of ${modes.join(', ')}.`)
  }
  if (mode === 'disable') return [false]
  const own = certificateOf(setting('sslcert'), setting('sslkey'))
  const authorities = authoritiesOf(setting('sslrootcert'))
  const encrypted = { ...own, ...trustOf(mode, authorities) }
  switch (mode) {
    case 'allow':
      return [false, encrypted]
    case 'prefer':
      return [encrypted, false]
    case 'require':
    case 'verify-ca':
    case 'verify-full':
      return [encrypted]
  }
}

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

function isMode(text: string): text is Mode {
  return (modes as readonly string[]).includes(text)
}

/** Whoever names authorities wants them checked: `require` then means `verify-ca`. */
function trustOf(mode: Mode, authorities: Authorities | undefined): ConnectionOptions {
  const trusted = authorities?.ca === undefined ? {} : { ca: authorities.ca }
  if (mode === 'verify-full') return trusted
  if (mode === 'verify-ca' || (mode === 'require' && authorities !== undefined)) {
    if (authorities?.ca === undefined) throw authoritiesNeeded()
    return { ...trusted, checkServerIdentity: () => undefined }
  }
  return { rejectUnauthorized: false }
}

interface Authorities {
  /** Absent: those that Node.js trusts. */
  readonly ca: string | undefined
}

function authoritiesOf(path: string | undefined): Authorities | undefined {
  if (path === 'system') return { ca: undefined }
  if (path !== undefined) return { ca: contentOf('sslrootcert', path) }
  const usual = join(homedir(), '.postgresql', 'root.crt')
  return existsSync(usual) ? { ca: contentOf('sslrootcert', usual) } : undefined
}

function certificateOf(cert: string | undefined, key: string | undefined): ConnectionOptions {
  if (cert === undefined && key === undefined) return {}
  if (cert === undefined || key === undefined) {
    throw new StorageError('io', 'A client certificate for the store needs both sslcert and sslkey.')
  }
  return { cert: contentOf('sslcert', cert), key: contentOf('sslkey', key) }
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new StorageError('io', `The file ${path}, which ${name} names for the store, cannot be read (${reason}).`)
  }
}

function authoritiesNeeded(): StorageError {
  return new StorageError(
    'io',
    'sslmode=verify-ca for the store needs sslrootcert, the file with the certificate authority to trust. Anyone can get a certificate from a public authority: to trust those, use sslmode=verify-full.',
  )
}
