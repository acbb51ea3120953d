import type { Declared } from '../declared.ts'
import { readCloudFormation } from '../cloudformation/read-cloudformation.ts'
import { isObject, objectOf, type Json, type JsonObject, type ReadOptions, plainText } from '../table-design.ts'
import { readServerlessFunctions } from './serverless-functions.ts'
import { Variables } from './variables.ts'

/** The functions of a serverless.yml, and what its `resources` declare. */
export function readServerless(document: JsonObject, file: string, options: ReadOptions): Declared {
  const variables = new Variables(document, file, options)
  const region = variables.resolve(objectOf(document['provider'])['region'] ?? options.region)
  const service =
    typeof document['service'] === 'string' ? document['service'] : objectOf(document['service'])['name']
  const resources = merged(variables.resolve(document['resources'] ?? {}))
  const template = { ...resources, Resources: resources['Resources'] ?? {} }
  const stack = options.stack ?? `${plainText(service)}-${variables.stage()}`
  const known: ReadOptions = {
    ...options,
    // What is left of the parameters is for `param`.
    parameters: undefined,
    stack,
    region: typeof region === 'string' && !region.includes('${') ? region : options.region,
  }
  const { tables, resources: others, functions, skipped, problems } = readCloudFormation(template, file, known)
  const unknown = tables.filter(({ name }) => name.includes('${'))
  return {
    tables: tables.filter((table) => !unknown.includes(table)),
    resources: others,
    functions: [...readServerlessFunctions(document, file, { variables, template, options: known }), ...functions],
    skipped,
    problems: [
      ...problems,
      ...unknown.map(
        ({ name, origin }) => `${origin}: its name is not known: ${name}. Give the stage or the parameter.`,
      ),
    ],
  }
}

/** `resources` is a template, or a list of them. */
function merged(resources: Json): JsonObject {
  if (!Array.isArray(resources)) return objectOf(resources)
  const whole: Record<string, Json> = {}
  for (const part of resources as readonly Json[]) {
    for (const [section, value] of Object.entries(objectOf(part))) {
      const before = whole[section]
      whole[section] = isObject(before) && isObject(value) ? { ...before, ...value } : value
    }
  }
  return whole
}
