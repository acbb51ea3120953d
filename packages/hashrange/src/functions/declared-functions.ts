import { access, constants, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { ServiceError } from '@hashrange/core'
import {
  findHandlerFile,
  readTriggerSettings,
  type DeclaredFunction,
  type DeclaredTrigger,
} from '@hashrange/lambda'
import { Mistake } from '../mistake.ts'
import { wireSettings } from '../triggers/wire-settings.ts'
import type { FunctionSettings } from './function-flags.ts'
import {
  readConfig,
  type ConfiguredFunction,
  type ConfiguredTrigger,
  type HashrangeConfig,
} from '../config/read-config.ts'

export interface Declared {
  readonly functions: readonly DeclaredFunction[]
  readonly triggers: readonly DeclaredTrigger[]
  /** What the workbench may show, as the configuration file has it. */
  readonly connections: NonNullable<HashrangeConfig['connections']>
}

/** What flags and the configuration file declare. Throws a Mistake for what cannot be. */
export async function declaredFunctions(settings: FunctionSettings): Promise<Declared> {
  const config = settings.config === undefined ? {} : await readConfig(settings.config)
  const functions: DeclaredFunction[] = []
  for (const [name, declared] of Object.entries(config.functions ?? {})) {
    functions.push(await functionOf(name, typeof declared === 'string' ? await placeOf(declared) : declared))
  }
  for (const { name, place } of settings.functions ?? [])
    functions.push(await functionOf(name, await placeOf(place)))
  const triggers = [
    ...(config.triggers ?? []).map((trigger) => triggerOf(trigger)),
    ...(settings.triggers ?? []).map(({ name, place }) => triggerOf({ ...sourceOf(name), function: place })),
  ]
  return { functions, triggers, connections: config.connections ?? {} }
}

/** Where code is, in one word: a URL, a program, or a file and what it exports. */
async function placeOf(place: string): Promise<ConfiguredFunction> {
  if (/^https?:\/\//.test(place)) return { url: place }
  if (await isProgram(place)) return { command: [resolve(place)] }
  return place.includes(' ') ? { command: place.trim().split(/\s+/) } : { handler: place }
}

async function functionOf(name: string, declared: ConfiguredFunction): Promise<DeclaredFunction> {
  if (!/^[\w-]{1,64}$/.test(name))
    throw new Mistake(`A function's name has up to 64 letters, digits, - and _, unlike "${name}".`)
  return {
    name,
    code: await codeOf(name, declared),
    timeoutSeconds: declared.timeout,
    memoryMb: declared.memorySize,
    environment: declared.environment,
    concurrency: declared.concurrency,
    role: declared.role,
  }
}

async function codeOf(name: string, declared: ConfiguredFunction): Promise<DeclaredFunction['code']> {
  const { handler, command, url } = declared
  if (url !== undefined) {
    if (!URL.canParse(url)) throw new Mistake(`The function ${name}: ${url} is not a URL.`)
    return { kind: 'url', url }
  }
  if (command !== undefined) {
    const [program = ''] = command
    return { kind: 'command', command, folder: program.includes('/') ? dirname(resolve(program)) : process.cwd() }
  }
  if (handler === undefined) throw new Mistake(`The function ${name} needs a handler, a command or a url.`)
  const path = resolve(handler)
  const found = await findHandlerFile(dirname(path), basename(path)).catch((cause: unknown) => {
    throw new Mistake(
      `The function ${name}: there is no file for ${handler}. Name a file without its ending and what it exports, such as functions/on-order.handler; a program; or a URL.`,
      { cause },
    )
  })
  return { kind: 'file', ...found }
}

/** As flags name it. */
function sourceOf(name: string): Pick<ConfiguredTrigger, 'table' | 'stream'> {
  const prefix = 'kinesis:'
  return name.startsWith(prefix) ? { stream: name.slice(prefix.length) } : { table: name }
}

function triggerOf(trigger: ConfiguredTrigger): DeclaredTrigger {
  const { table, stream, function: functionName, startingPosition, ...options } = trigger
  if ((table === undefined) === (stream === undefined))
    throw new Mistake(`The trigger of ${functionName} needs a table or a stream, and not both.`)
  try {
    return {
      ...(stream === undefined ? { tableName: table ?? '' } : { streamName: stream }),
      functionName,
      startFrom: startingPosition ?? 'TRIM_HORIZON',
      settings: readTriggerSettings(wireSettings(options)),
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new Mistake(`The trigger ${stream ?? table}=${functionName}: ${error.message}`, { cause: error })
  }
}

async function isProgram(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK)
    return (await stat(place)).isFile()
  } catch {
    return false
  }
}
