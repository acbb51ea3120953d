import { ServiceError } from '@hashrange/core'
import { StorageError } from '@hashrange/engine'
import { TlsError, type TlsOptions } from '@hashrange/server'
import { explainAuth } from './auth/explain-auth.ts'
import { OpenToOthers } from './open-to-others.ts'
import type { StartSettings } from './command-line.ts'
import { Mistake } from './mistake.ts'
import { SeedError } from './seed/seed.ts'
import { describePlace, placeOf } from './store-place.ts'
import { withAdvice } from './storage-advice.ts'
import { typedStart } from './typed-start.ts'

/** Why the server did not start, and what to do; undefined if that is for us to find out. */
export function explainFailure(
  error: unknown,
  settings: StartSettings,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (error instanceof StorageError) return explainStore(error, settings)
  if (error instanceof OpenToOthers) return error.message
  if (error instanceof TlsError) return `${error.message} Correct ${tlsFlag[error.part]}.`
  if (error instanceof SeedError) return `--seed: ${error.message}`
  if (isAboutApplied(error, settings))
    return `${settings.apply === undefined ? '--seed' : '--apply'}: ${error.message}`
  if (error instanceof Mistake) return error.message
  if (isAboutFile(error, settings.audit?.path)) {
    return `The audit log ${settings.audit?.path} cannot be written: ${error.message}. Choose another file with --audit-log.`
  }
  const ofAuth = explainAuth(error, settings.identities)
  if (ofAuth !== undefined) return ofAuth
  const { host } = settings
  const { port, flag } = portOf(error, settings)
  const start = typedStart(environment)
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use. Stop the program that uses it, or choose another port: ${start} ${flag} ${anotherPort(port)}`
    case 'EACCES':
      return `You do not have permission to listen on port ${port} of ${host}. Choose a port above 1023: ${start} ${flag} ${flag === '--port' ? 8000 : 8111}`
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Choose one that is: ${start} --host 127.0.0.1`
    default:
      return undefined
  }
}

/** A server may listen on two. */
function portOf(
  error: unknown,
  { port, daxPort }: StartSettings,
): { readonly port: number; readonly flag: string } {
  const isOfDax = daxPort !== undefined && error instanceof Error && 'port' in error && error.port === daxPort
  return isOfDax ? { port: daxPort, flag: '--dax-port' } : { port, flag: '--port' }
}

/** What is wrong with a file of tables, or with a table in it. */
function isAboutApplied(error: unknown, { apply = [], seed = [] }: StartSettings): error is Error {
  if (apply.length + seed.length === 0 || !(error instanceof Error)) return false
  return error instanceof Mistake || error instanceof ServiceError || error.name === 'TemplateError'
}

const tlsFlag: Readonly<Record<keyof TlsOptions, string>> = {
  cert: '--tls-cert',
  key: '--tls-key',
  clientCa: '--tls-client-ca',
}

/** A database that cannot be reached is usually not the one that was meant. */
function explainStore(error: StorageError, settings: StartSettings): string {
  if (settings.store === undefined) return explainFolder(error, settings.path)
  const place = describePlace(placeOf(settings))
  const { cause } = error
  switch (cause instanceof Error && 'code' in cause ? cause.code : undefined) {
    case 'ECONNREFUSED':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
      return `No PostgreSQL server answers at ${place}. Start it, or correct --store.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no such host: ${place}. Correct --store.`
    case '28P01':
    case '28000':
      return `PostgreSQL at ${place} rejected the user name or the password (${cause instanceof Error ? cause.message : ''}). Correct them in --store.`
    case '3D000':
      return `There is no such database: ${place}. Create it, or correct --store.`
    default:
      return withAdvice(error, 'command')
  }
}

/** A file in place of the folder usually means that the path goes one step too far. */
function explainFolder(error: StorageError, path: string | undefined): string {
  const { code, cause } = error
  const reason = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code !== 'not-writable' || (reason !== 'EEXIST' && reason !== 'ENOTDIR')) return withAdvice(error, 'command')
  return `${path} is a file, or is inside one. Choose a folder with --path.`
}

function isAboutFile(error: unknown, path: string | undefined): error is Error {
  return path !== undefined && error instanceof Error && 'path' in error && error.path === path
}

function anotherPort(port: number): number {
  return port < 65_535 ? port + 1 : 8000
}
