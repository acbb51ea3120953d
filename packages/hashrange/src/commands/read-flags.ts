import { parseArgs, type ParseArgsConfig } from 'node:util'
import { explainFlags } from '../explain-flags.ts'
import { Mistake } from './mistake.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** A command's flags; what is wrong with them is said in one sentence. */
export function readFlags<Flags extends Options>(
  command: string,
  words: readonly string[],
  options: Flags,
): ReturnType<typeof parseArgs<{ options: Flags }>>['values'] {
  try {
    return parseArgs({ args: [...words], options }).values
  } catch (error) {
    throw misread(command, error, options)
  }
}

/** A command's flags, and the words that are none. */
export function readWords<Flags extends Options>(
  command: string,
  words: readonly string[],
  options: Flags,
): ReturnType<typeof parseArgs<{ options: Flags; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw misread(command, error, options)
  }
}

function misread(command: string, error: unknown, options: Options): Mistake {
  return new Mistake(`${explainFlags(error, options)} See: hashrange ${command} --help`, { cause: error })
}

export function required(command: string, flag: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new Mistake(`${flag} is missing. See: hashrange ${command} --help`)
}

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
