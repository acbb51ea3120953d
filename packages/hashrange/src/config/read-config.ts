import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { loadSource } from '../load-source.ts'
import { Mistake } from '../mistake.ts'
import { parseJson } from '../parse-json.ts'
import type { DeclaredConnection } from './declared-connection.ts'
import type { TriggerOptions } from '../triggers/trigger-options.ts'

/** What `hashrange.config.ts` (or .js, .mjs, .json) exports by default. */
export interface HashrangeConfig {
  /** Where the schema of this file is, for editors: `./node_modules/hashrange/hashrange.config.schema.json`. */
  readonly $schema?: string
  /** Functions by their names: a place such as `functions/on-order.handler`, or more about them. */
  readonly functions?: Readonly<Record<string, string | ConfiguredFunction>>
  readonly triggers?: readonly ConfiguredTrigger[]
  /** The region of this server, and the addresses of the servers of other regions: `{ 'eu-west-1': 'https://…' }`. */
  readonly region?: string
  readonly replicate?: Readonly<Record<string, string>>
  /** Where DAX clients are served; how long their caches keep items, and results of Query and Scan; how large each is. */
  readonly daxPort?: number
  readonly daxRecordTtlMs?: number
  readonly daxQueryTtlMs?: number
  readonly daxCacheMb?: number
  /** Other databases that the workbench may show, by their names: a place such as `aws:prod`, or more about them. */
  readonly connections?: Readonly<Record<string, string | DeclaredConnection>>
}

export interface ConfiguredFunction {
  /** A file without its ending, and what it exports: `functions/on-order.handler`. */
  readonly handler?: string
  /** A program that speaks Lambda's runtime API, with its arguments. */
  readonly command?: readonly string[]
  /** The runtime interface emulator, or `sam local start-lambda`. */
  readonly url?: string
  /** In seconds; 30 by default. */
  readonly timeout?: number
  /** In megabytes; 512 by default. */
  readonly memorySize?: number
  readonly environment?: Readonly<Record<string, string>>
  /** How many calls may be in progress at a time; 4 by default. */
  readonly concurrency?: number
  /** On a closed server: the ARN of the role whose permissions the function has. */
  readonly role?: string
}

export interface ConfiguredTrigger extends Omit<TriggerOptions, 'name'> {
  /** The table whose changes it gets; or instead of it: */
  readonly table?: string
  /** The Kinesis stream whose records it gets. */
  readonly stream?: string
  readonly function: string
  /** The ARN of a function, or a URL, that receives a message about discarded records. */
  readonly onFailure?: string
}

export async function readConfig(file: string): Promise<HashrangeConfig> {
  const path = resolve(file)
  if (!(await isThere(path))) throw new Mistake(`There is no file ${file}.`)
  const config = file.endsWith('.json') ? await readJson(path, file) : await load(path, file)
  if (typeof config !== 'object' || config === null)
    throw new Mistake(`${file} must export an object by default, with functions, triggers and connections.`)
  // Loaded here, because only those who have such a file need it.
  const [{ mistakeIn }, { configSchema }] = await Promise.all([
    import('./check-config.ts'),
    import('./config-schema.ts'),
  ])
  const mistake = mistakeIn(configSchema, config)
  if (mistake !== undefined) throw new Mistake(`${file}: ${mistake}`)
  return config
}

async function readJson(path: string, file: string): Promise<unknown> {
  try {
    return parseJson(await readFile(path, 'utf8'))
  } catch (error) {
    throw new Mistake(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`, { cause: error })
  }
}

async function load(path: string, file: string): Promise<unknown> {
  try {
    const exported = await loadSource(path)
    return exported['default'] ?? exported
  } catch (error) {
    throw new Mistake(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
