import { parseArgs } from 'node:util'
import { isModelCommand, type ModelCommand } from './model-command.ts'
import { isTransferCommand, type TransferCommand } from './transfer-command.ts'

export interface StartSettings {
  readonly host: string
  readonly port: number
  /** Where the data is; nothing means in memory. */
  readonly path: string | undefined
  readonly shared: boolean
  /** Where exports go and imports come from. */
  readonly buckets?: string | undefined
  /** How long streams show a change. */
  readonly streamRetentionHours?: number | undefined
  /** How long after one sweep for expired items the next begins. */
  readonly ttlSweepSeconds?: number | undefined
}

export type Command =
  | { readonly kind: 'start'; readonly settings: StartSettings }
  | { readonly kind: 'transfer'; readonly command: TransferCommand; readonly words: readonly string[] }
  | { readonly kind: 'model'; readonly command: ModelCommand; readonly words: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'mistake'; readonly message: string }

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  path: { type: 'string' },
  memory: { type: 'boolean' },
  shared: { type: 'boolean' },
  buckets: { type: 'string' },
  'stream-retention': { type: 'string' },
  'ttl-sweep': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** What the words after `hashrange` ask for. */
export function readCommandLine(words: readonly string[], environment: Environment): Command {
  const [first, ...others] = words
  if (isTransferCommand(first)) return { kind: 'transfer', command: first, words: others }
  if (isModelCommand(first)) return { kind: 'model', command: first, words: others }
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(words)
  } catch (error) {
    return mistake(firstSentence(error))
  }
  const [name, ...rest] = parsed.positionals
  if (parsed.values.help === true || name === 'help' || words.length === 0) return { kind: 'help' }
  if (parsed.values.version === true || name === 'version') return { kind: 'version' }
  if (name !== 'start')
    return mistake(name === undefined ? 'A command is missing.' : `There is no command "${name}".`)
  if (rest.length > 0) return mistake(`"hashrange start" takes no "${rest[0]}".`)
  return readStart(parsed.values, environment)
}

function parse(words: readonly string[]) {
  return parseArgs({ args: [...words], options: flags, allowPositionals: true })
}

function readStart(values: ReturnType<typeof parse>['values'], environment: Environment): Command {
  const portText = values.port ?? setting(environment, 'HASHRANGE_PORT') ?? '8000'
  if (!/^\d{1,5}$/.test(portText) || Number(portText) > 65_535) {
    return mistake(`"${portText}" is no port. A port is a number from 0 to 65535; 0 takes one that is free.`)
  }
  const memory = values.memory ?? isOn(setting(environment, 'HASHRANGE_MEMORY'))
  if (values.memory === true && values.path !== undefined) {
    return mistake('--memory keeps no data and --path says where to keep it: choose one.')
  }
  const path = values.path ?? setting(environment, 'HASHRANGE_PATH') ?? '.hashrange'
  if (path === '') return mistake('--path needs a folder, such as --path .hashrange')
  const retention = values['stream-retention'] ?? setting(environment, 'HASHRANGE_STREAM_RETENTION')
  if (!isDuration(retention)) return mistake(`--stream-retention is a number of hours, not "${retention}".`)
  const sweep = values['ttl-sweep'] ?? setting(environment, 'HASHRANGE_TTL_SWEEP')
  if (!isDuration(sweep)) return mistake(`--ttl-sweep is a number of seconds, not "${sweep}".`)
  return {
    kind: 'start',
    settings: {
      host: values.host ?? setting(environment, 'HASHRANGE_HOST') ?? '127.0.0.1',
      port: Number(portText),
      // What is typed outranks what the environment says.
      path: memory && values.path === undefined ? undefined : path,
      shared: values.shared ?? isOn(setting(environment, 'HASHRANGE_SHARED')),
      buckets: values.buckets ?? setting(environment, 'HASHRANGE_BUCKETS'),
      streamRetentionHours: retention === undefined ? undefined : Number(retention),
      ttlSweepSeconds: sweep === undefined ? undefined : Number(sweep),
    },
  }
}

function setting(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  return value === '' ? undefined : value
}

/** A timer's longest pause is 24 days. */
function isDuration(text: string | undefined): boolean {
  return text === undefined || (/^\d{1,6}(\.\d+)?$/.test(text) && Number(text) > 0)
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['0', 'false', 'no', 'off'].includes(value.toLowerCase())
}

function mistake(message: string): Command {
  return { kind: 'mistake', message: `${message} See: hashrange help` }
}

/** Node's messages go on to explain its own parser. */
function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const sentence = message.split(/\. |\n/, 1)[0] ?? message
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
