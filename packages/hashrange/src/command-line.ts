import { parseArgs } from 'node:util'
import type { Sharing } from '@hashrange/server'
import { eventFlags, readEventFlags, type EventSettings } from './event-flags.ts'
import { accessFlags, readAccessFlags, type AccessSettings } from './access-flags.ts'
import { authFlags, readAuthFlags, type AuthSettings } from './auth/auth-flags.ts'
import { archiveFlags, readArchiveFlags, type ArchiveSettings } from './archive/archive-flags.ts'
import { auditFlags, readAuditFlags, type AuditSettings } from './audit/audit-flags.ts'
import { connectionFlags, readConnectionFlags, type ConnectionSettings } from './connection-flags.ts'
import { capacityFlags, readCapacityFlags } from './capacity-flags.ts'
import type { CapacityOptions } from './capacity-options.ts'
import { closestWord } from './closest-word.ts'
import { encryptionFlags, readEncryptionKey } from './encryption-key.ts'
import { exportKeyFlags, readExportKeys } from './export-keys.ts'
import { explainFlags } from './explain-flags.ts'
import { functionFlags, readFunctionFlags, type FunctionSettings } from './functions/function-flags.ts'
import { daxFlags, readDaxFlags, type DaxSettings } from './dax/dax-flags.ts'
import { linkFlags, readLinkFlags, type LinkSettings } from './links/link-flags.ts'
import { isModelCommand, modelCommands, type ModelCommand } from './model-command.ts'
import { isPostgresUrl, isStoreDistribution, type StoreDistribution } from './store-place.ts'
import { readTlsFlags, tlsFlags, type TlsSettings } from './tls-flags.ts'
import { isTransferCommand, transferCommands, type TransferCommand } from './transfer-command.ts'
import { withoutSecrets } from './without-secrets.ts'
import { isWorkbenchToken } from './workbench-token.ts'

export interface StartSettings
  extends
    CapacityOptions,
    AccessSettings,
    ArchiveSettings,
    AuthSettings,
    TlsSettings,
    AuditSettings,
    FunctionSettings,
    ConnectionSettings,
    EventSettings,
    DaxSettings,
    LinkSettings {
  readonly host: string
  /** Whether a server that other machines can reach may be open to all of them. */
  readonly insecure?: boolean | undefined
  readonly port: number
  /** Where the data is; undefined means in memory. */
  readonly path: string | undefined
  /** Opens a damaged folder without what can no longer be read. */
  readonly acceptsLoss?: boolean
  /** The URL of the database that stores the data instead. */
  readonly store?: string | undefined
  readonly storeDistribution?: StoreDistribution | undefined
  /** The 32 bytes that the values of the store are encrypted with. */
  readonly encryptionKey?: Buffer | undefined
  readonly shared: Sharing
  /** Where exports go and imports come from. */
  readonly buckets?: string | undefined
  /** Exports are encrypted with the first, and imports may have any. */
  readonly exportKeys?: readonly Uint8Array[] | undefined
  /** Files that declare tables, which are created before the server answers. */
  readonly apply?: readonly string[] | undefined
  /** Files whose items are put into empty tables. */
  readonly seed?: readonly string[] | undefined
  /** How long stream records are kept. */
  readonly streamRetentionHours?: number | undefined
  /** The time between two sweeps for expired items. */
  readonly ttlSweepSeconds?: number | undefined
  /** How far the clock of this machine may be off from the database's. */
  readonly maxClockOffsetSeconds?: number | undefined
  /** Whether the workbench is served as well; by default, if only this machine can reach it. */
  readonly workbench?: boolean | undefined
  readonly workbenchReadOnly?: boolean | undefined
  /** The secret in the workbench's address; a new one each time by default. */
  readonly workbenchToken?: string | undefined
  /** The model files that the workbench shows, and the folders from which its page may load them. */
  readonly models?: readonly string[] | undefined
  /** Whether pages on other machines may load model files as well. */
  readonly remoteModels?: boolean | undefined
  /** Whether the page may change model files. */
  readonly editModels?: boolean | undefined
}

export type Command =
  | { readonly kind: 'start'; readonly settings: StartSettings }
  | { readonly kind: 'transfer'; readonly command: TransferCommand; readonly words: readonly string[] }
  | { readonly kind: 'model'; readonly command: ModelCommand; readonly words: readonly string[] }
  | { readonly kind: 'top'; readonly words: readonly string[] }
  | { readonly kind: 'token' | 'doctor' | 'completion' | 'workbench'; readonly words: readonly string[] }
  | { readonly kind: 'verify'; readonly words: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'mistake'; readonly message: string }

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  insecure: { type: 'boolean' },
  path: { type: 'string' },
  memory: { type: 'boolean' },
  'accept-loss': { type: 'boolean' },
  store: { type: 'string' },
  'store-distribution': { type: 'string' },
  shared: { type: 'boolean' },
  'shared-keys': { type: 'boolean' },
  buckets: { type: 'string' },
  ...exportKeyFlags,
  apply: { type: 'string', multiple: true },
  seed: { type: 'string', multiple: true },
  'stream-retention': { type: 'string' },
  'ttl-sweep': { type: 'string' },
  'max-clock-offset': { type: 'string' },
  workbench: { type: 'boolean' },
  'no-workbench': { type: 'boolean' },
  'workbench-read-only': { type: 'boolean' },
  model: { type: 'string', multiple: true },
  'remote-models': { type: 'boolean' },
  'edit-models': { type: 'boolean' },
  ...capacityFlags,
  ...accessFlags,
  ...eventFlags,
  ...linkFlags,
  ...daxFlags,
  ...archiveFlags,
  ...tlsFlags,
  ...auditFlags,
  ...authFlags,
  ...encryptionFlags,
  ...functionFlags,
  ...connectionFlags,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** What the words after `hashrange` ask for. */
export function readCommandLine(words: readonly string[], environment: Environment): Command {
  const [first, ...others] = words
  if (first === 'help' && isCommand(others[0])) return readCommandLine([others[0], '--help'], environment)
  if (isTransferCommand(first)) return { kind: 'transfer', command: first, words: others }
  if (isModelCommand(first)) return { kind: 'model', command: first, words: others }
  if (isOwnCommand(first)) return { kind: first, words: others }
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(words.map(valueOfSeed))
  } catch (error) {
    return mistake(explainFlags(error, flags))
  }
  const [name, ...rest] = parsed.positionals
  if (parsed.values.help === true || name === 'help' || words.length === 0) return { kind: 'help' }
  if (parsed.values.version === true || name === 'version') return { kind: 'version' }
  if (name === undefined) return mistake('Name a command, such as: hashrange start.')
  if (name !== 'start') return mistake(`There is no command "${name}".${whatIsMeant(name)}`)
  const [unused] = rest
  if (unused !== undefined) {
    return mistake(
      `"hashrange start" does not take "${unused}".${/^\d+$/.test(unused) ? ` Did you mean --port ${unused}?` : ''}`,
    )
  }
  return readStart(parsed.values, environment)
}

/** Commands that read their own flags, each in its own way. */
const ownCommands = ['completion', 'doctor', 'token', 'top', 'verify', 'workbench'] as const

function isOwnCommand(word: string | undefined): word is (typeof ownCommands)[number] {
  return (ownCommands as readonly (string | undefined)[]).includes(word)
}

const commands = ['start', ...transferCommands, ...modelCommands, ...ownCommands, 'help', 'version']

function isCommand(word: string | undefined): word is string {
  return word !== undefined && commands.includes(word)
}

function whatIsMeant(word: string): string {
  if (word === 'stop') return ' To stop a server, press Ctrl+C or send it SIGTERM.'
  const meant = ['serve', 'server', 'run', 'up'].includes(word) ? 'start' : closestWord(word, commands)
  return meant === undefined ? '' : ` Did you mean "${meant}"?`
}

function parse(words: readonly string[]) {
  return parseArgs({ args: [...words], options: flags, allowPositionals: true })
}

function readStart(values: ReturnType<typeof parse>['values'], environment: Environment): Command {
  const portText = values.port ?? setting(environment, 'HASHRANGE_PORT') ?? '8000'
  if (!/^\d{1,5}$/.test(portText) || Number(portText) > 65_535) {
    return mistake(`"${portText}" is not a port. A port is a number from 0 to 65535; 0 picks a free one.`)
  }
  const memory = values.memory ?? isOn(setting(environment, 'HASHRANGE_MEMORY'))
  if (values.memory === true && values.path !== undefined) {
    return mistake('--memory keeps the data in memory and --path keeps it in a folder. Use only one of them.')
  }
  const path = values.path ?? setting(environment, 'HASHRANGE_PATH') ?? '.hashrange'
  if (path === '') return mistake('--path needs a folder, such as --path .hashrange')
  const chosen = readStore(values, environment)
  if ('mistake' in chosen) return mistake(chosen.mistake)
  const retention = values['stream-retention'] ?? setting(environment, 'HASHRANGE_STREAM_RETENTION')
  if (!isDuration(retention)) return mistake(`--stream-retention must be a number of hours, not "${retention}".`)
  const sweep = values['ttl-sweep'] ?? setting(environment, 'HASHRANGE_TTL_SWEEP')
  if (!isDuration(sweep)) return mistake(`--ttl-sweep must be a number of seconds, not "${sweep}".`)
  const offset = values['max-clock-offset'] ?? setting(environment, 'HASHRANGE_MAX_CLOCK_OFFSET')
  if (!isOffset(offset)) return mistake(`--max-clock-offset must be a number of seconds, not "${offset}".`)
  if (values.workbench === true && values['no-workbench'] === true) {
    return mistake('--workbench and --no-workbench cannot be used together. Use only one of them.')
  }
  const workbenchToken = setting(environment, 'HASHRANGE_WORKBENCH_TOKEN')
  if (workbenchToken !== undefined && !isWorkbenchToken(workbenchToken)) {
    return mistake(
      'HASHRANGE_WORKBENCH_TOKEN must be 16 to 256 letters, digits, - and _. To make one: openssl rand -hex 24.',
    )
  }
  const capacity = readCapacityFlags(values, (name) => setting(environment, name))
  if ('mistake' in capacity) return mistake(capacity.mistake)
  const access = readAccessFlags(values, (name) => setting(environment, name))
  if ('mistake' in access) return mistake(access.mistake)
  const events = readEventFlags(values, (name) => setting(environment, name))
  if ('mistake' in events) return mistake(events.mistake)
  const links = readLinkFlags(values, (name) => setting(environment, name))
  if ('mistake' in links) return mistake(links.mistake)
  const dax = readDaxFlags(values, (name) => setting(environment, name))
  if ('mistake' in dax) return mistake(dax.mistake)
  const tls = readTlsFlags(values, (name) => setting(environment, name))
  if ('mistake' in tls) return mistake(tls.mistake)
  const encryption = readEncryptionKey(values['encryption-key-file'], (name) => setting(environment, name))
  if ('mistake' in encryption) return mistake(encryption.mistake)
  if (encryption.key !== undefined && memory && values.path === undefined) {
    return mistake('--memory keeps the data in memory, where there is nothing to encrypt. Leave out the key.')
  }
  const exports = readExportKeys(values['export-key-file'], (name) => setting(environment, name))
  if ('mistake' in exports) return mistake(exports.mistake)
  const audit = readAuditFlags(values, (name) => setting(environment, name), isOn)
  if ('mistake' in audit) return mistake(audit.mistake)
  const auth = readAuthFlags(values, (name) => setting(environment, name), isOn)
  if ('mistake' in auth) return mistake(auth.mistake)
  if (auth.auth === true && (values.shared === true || values['shared-keys'] === true)) {
    return mistake(
      '--shared gives every access key the same tables; with --auth, each identity sees the tables of its account. Use only one of them.',
    )
  }
  const functions = readFunctionFlags(values, (name) => setting(environment, name), isOn)
  if ('mistake' in functions) return mistake(functions.mistake)
  const connections = readConnectionFlags(values, (name) => setting(environment, name))
  if ('mistake' in connections) return mistake(connections.mistake)
  const isFolder = !('store' in chosen && chosen.store !== undefined) && !(memory && values.path === undefined)
  const archives = readArchiveFlags(values, (name) => setting(environment, name), isFolder)
  if ('mistake' in archives) return mistake(archives.mistake)
  return {
    kind: 'start',
    settings: {
      ...archives,
      ...capacity,
      ...access,
      ...events,
      ...links,
      ...dax,
      ...tls,
      ...audit,
      ...auth,
      ...functions,
      ...connections,
      ...(encryption.key !== undefined && { encryptionKey: encryption.key }),
      host: values.host ?? setting(environment, 'HASHRANGE_HOST') ?? '127.0.0.1',
      port: Number(portText),
      ...((values.insecure ?? isOn(setting(environment, 'HASHRANGE_INSECURE'))) && { insecure: true }),
      // What is typed outranks what the environment says.
      path: memory && values.path === undefined ? undefined : path,
      ...chosen,
      ...(values['accept-loss'] === true && { acceptsLoss: true }),
      shared: sharingOf(values, setting(environment, 'HASHRANGE_SHARED')),
      buckets: values.buckets ?? setting(environment, 'HASHRANGE_BUCKETS'),
      ...(exports.keys.length > 0 && { exportKeys: exports.keys }),
      apply: values.apply ?? setting(environment, 'HASHRANGE_APPLY')?.split(','),
      ...seedsOf(values),
      streamRetentionHours: retention === undefined ? undefined : Number(retention),
      ttlSweepSeconds: sweep === undefined ? undefined : Number(sweep),
      maxClockOffsetSeconds: offset === undefined ? undefined : Number(offset),
      workbench: readWorkbench(values, environment),
      workbenchReadOnly:
        values['workbench-read-only'] ?? isOn(setting(environment, 'HASHRANGE_WORKBENCH_READ_ONLY')),
      workbenchToken,
      remoteModels: values['remote-models'] ?? isOn(setting(environment, 'HASHRANGE_REMOTE_MODELS')),
      ...((values['edit-models'] ?? isOn(setting(environment, 'HASHRANGE_EDIT_MODELS'))) && { editModels: true }),
      models: values.model ?? setting(environment, 'HASHRANGE_MODEL')?.split(',') ?? [],
    },
  }
}

type ChosenStore = Pick<StartSettings, 'store' | 'storeDistribution'>

function readStore(
  values: ReturnType<typeof parse>['values'],
  environment: Environment,
): ChosenStore | { readonly mistake: string } {
  const isElsewhere = values.path !== undefined || values.memory === true
  if (values.store !== undefined && isElsewhere) {
    return {
      mistake: '--store, --path and --memory each say where to keep the data. Use only one of them.',
    }
  }
  // What is typed outranks what the environment says.
  const store = values.store ?? (isElsewhere ? undefined : setting(environment, 'HASHRANGE_STORE'))
  if (store !== undefined && !isPostgresUrl(store)) {
    return {
      mistake: `--store must be the URL of a PostgreSQL database, such as postgres://user@host/database, not "${withoutSecrets(store)}".`,
    }
  }
  const storeDistribution = values['store-distribution'] ?? setting(environment, 'HASHRANGE_STORE_DISTRIBUTION')
  if (storeDistribution !== undefined && !isStoreDistribution(storeDistribution)) {
    return { mistake: `--store-distribution must be auto, none or citus, not "${storeDistribution}".` }
  }
  return { store, storeDistribution }
}

function readWorkbench(values: ReturnType<typeof parse>['values'], environment: Environment): boolean | undefined {
  if (values['no-workbench'] === true) return false
  if (values.workbench === true) return true
  const word = setting(environment, 'HASHRANGE_WORKBENCH')
  return word === undefined ? undefined : isOn(word)
}

function setting(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  return value === '' ? undefined : value
}

/** The longest pause of a timer is 24 days. */
function isDuration(text: string | undefined): boolean {
  return text === undefined || (/^\d{1,6}(\.\d+)?$/.test(text) && Number(text) > 0)
}

/** A clock may be off by years, if it must be. */
function isOffset(text: string | undefined): boolean {
  return text === undefined || (/^\d{1,10}(\.\d+)?$/.test(text) && Number(text) > 0)
}

/** `--seed` alone means the models. */
function valueOfSeed(word: string, position: number, words: readonly string[]): string {
  const next = words[position + 1]
  return word === '--seed' && (next === undefined || next.startsWith('-')) ? '--seed=' : word
}

function seedsOf({ seed, model = [] }: ReturnType<typeof parse>['values']): Pick<StartSettings, 'seed'> {
  return seed === undefined ? {} : { seed: seed.flatMap((file) => (file === '' ? model : [file])) }
}

/** Flags outrank the environment. */
function sharingOf(values: ReturnType<typeof parse>['values'], word: string | undefined): Sharing {
  if (values.shared === true) return true
  if (values['shared-keys'] === true || word?.toLowerCase() === 'keys') return 'keys'
  return isOn(word)
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['0', 'false', 'no', 'off'].includes(value.toLowerCase())
}

function mistake(message: string): Command {
  return { kind: 'mistake', message: `${message} See: hashrange help` }
}
