import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ServiceError } from '@hashrange/core'
import type { Engine, Scope } from '@hashrange/engine'
import {
  findHandlerFile,
  readTriggerSettings,
  type DeclaredFunction,
  type DeclaredTrigger,
} from '@hashrange/lambda'
import type { FunctionDesign } from '@hashrange/templates'
import { afterTables, applyResources } from '../apply/apply-resources.ts'
import { enginePort } from '../apply/engine-port.ts'
import type { Declared } from './declared-functions.ts'

/** The functions that templates declare, with the tables whose changes they get. Code in a folder runs where it is; what is in
 *  the template or in a zip file is kept by the server. What cannot be run here is reported and left out: a template has more
 *  in it than what one develops. */
export async function templateFunctions(
  engine: Engine,
  designs: readonly FunctionDesign[],
  scope: Scope,
  tell: (line: string) => void,
): Promise<Pick<Declared, 'functions' | 'triggers'>> {
  const functions: DeclaredFunction[] = []
  const triggers: DeclaredTrigger[] = []
  const packed: FunctionDesign[] = []
  for (const design of designs) {
    if (design.inlineCode !== undefined || design.codePath?.endsWith('.zip') === true) {
      packed.push(design)
      continue
    }
    const code = await codeOf(design)
    if (typeof code === 'string') {
      tell(`  ${design.name}  skipped: ${code}`)
      continue
    }
    const { name, timeoutSeconds, memoryMb, environment } = design
    functions.push({ name, code, timeoutSeconds: timeoutSeconds ?? 3, memoryMb: memoryMb ?? 128, environment })
    const wired = triggersOf(design, scope, tell)
    triggers.push(...wired)
    const sources = wired.map((each) =>
      'tableName' in each ? `changes of ${each.tableName}` : `records of ${each.streamName}`,
    )
    tell(`  ${name}  runs here${sources.length === 0 ? '' : `, for ${sources.join(', ')}`}`)
    for (const problem of design.problems) tell(`  ${name}  ${problem}`)
  }
  const kept = afterTables({ functions: packed, resources: [] }, scope)
  await applyResources(enginePort(engine, scope), kept, { ...scope, tell })
  return { functions, triggers }
}

/** Or why there is none. */
async function codeOf({
  packageType,
  codePath: folder,
  handler,
  runtime,
}: FunctionDesign): Promise<DeclaredFunction['code'] | string> {
  if (packageType === 'Image') return 'images are not run here'
  if (folder === undefined) return 'its code is not in a folder of this machine'
  if (runtime.startsWith('nodejs')) {
    const found = await findHandlerFile(folder, handler).catch(() => undefined)
    return found === undefined ? `there is no file for ${handler} in ${folder}` : { kind: 'file', ...found }
  }
  if (runtime.startsWith('python'))
    return { kind: 'command', command: ['python3', '-m', 'awslambdaric', handler], folder }
  const bootstrap = resolve(folder, 'bootstrap')
  if (existsSync(bootstrap)) return { kind: 'command', command: [bootstrap], folder }
  return `there is no bootstrap in ${folder}, and the runtime ${runtime} needs one`
}

function triggersOf(
  design: FunctionDesign,
  scope: Scope,
  tell: (line: string) => void,
): readonly DeclaredTrigger[] {
  return design.triggers.flatMap(({ source, startingPosition, settings }): DeclaredTrigger[] => {
    try {
      const { DestinationConfig: destination, ...others } = settings
      if (destination !== undefined)
        tell(`  ${design.name}  its failure destination cannot be reached from here, and is skipped`)
      const common = { ...source, functionName: design.name, scope, startFrom: startingPosition }
      return [{ ...common, settings: readTriggerSettings(others) }]
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      tell(
        `  ${design.name}  its trigger of ${'tableName' in source ? source.tableName : source.streamName} is skipped: ${error.message}`,
      )
      return []
    }
  })
}
