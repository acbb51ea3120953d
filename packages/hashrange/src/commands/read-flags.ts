import { parseArgs, type ParseArgsConfig } from 'node:util'
import { explainFlags } from '../explain-flags.ts'
import { Mistake } from '../mistake.ts'
import { serverFlags, trustIssuer } from './trust-issuer.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** A command's flags; mistakes are reported in one sentence. */
export function readFlags<Flags extends Options>(
  command: string,
  words: readonly string[],
  options: Flags,
): ReturnType<typeof parseArgs<{ options: Flags }>>['values'] {
  return heeded(parsed(command, options, () => parseArgs({ args: [...words], options })).values)
}

/** A command's flags, and its other words. */
export function readWords<Flags extends Options>(
  command: string,
  words: readonly string[],
  options: Flags,
): ReturnType<typeof parseArgs<{ options: Flags; allowPositionals: true }>> {
  const read = parsed(command, options, () => parseArgs({ args: [...words], options, allowPositionals: true }))
  heeded(read.values)
  return read
}

function parsed<Read>(command: string, options: Options, parse: () => Read): Read {
  try {
    return parse()
  } catch (error) {
    throw misread(command, error, options)
  }
}

/** What a flag says about the whole process is done at once. */
function heeded<Values extends object>(values: Values): Values {
  if ('ca' in values && typeof values.ca === 'string') trustIssuer(values.ca)
  return values
}

function misread(command: string, error: unknown, options: Options): Mistake {
  return new Mistake(`${explainFlags(error, options)} See: hashrange ${command} --help`, { cause: error })
}

export function required(command: string, flag: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new Mistake(`${flag} is missing. See: hashrange ${command} --help`)
}

/** The flags of every command that opens one database: where it is, and whose tables are meant. */
export const databaseFlags = {
  endpoint: { type: 'string' },
  path: { type: 'string' },
  region: { type: 'string' },
  account: { type: 'string' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options

/** Where a table is: `--endpoint` or `--path`. */
export function databasePlace(
  command: string,
  { endpoint, path }: { readonly endpoint?: string | undefined; readonly path?: string | undefined },
): string {
  if (endpoint !== undefined && path !== undefined)
    throw new Mistake('--endpoint and --path both name a place. Use only one of them.')
  if (path !== undefined) return `lmdb:${path}`
  return required(command, '--endpoint or --path', endpoint)
}

export function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text) && Number(text) > 0) return Number(text)
  throw new Mistake(`${flag} must be a whole number from 1 to 999999, not "${text}".`)
}
