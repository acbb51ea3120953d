import { functionNameOf } from '../function-name.ts'
import { listOf, objectOf, plainText, type JsonObject } from '../table-design.ts'
import type { Find, TerraformResource } from './other-resources.ts'

/** Finds what attributes refer to, where a plan does not know their value yet. Modules are looked through: their variables
 *  and outputs stand for what they were given. */
export function referencesOf(document: JsonObject, resources: Iterable<TerraformResource>): Find {
  const found = new Map([...resources].map((resource) => [withoutModuleIndex(resource.address), resource]))
  const modules = new Map<string, Module>()
  collect(objectOf(objectOf(document['configuration'])['root_module']), '', undefined, {}, modules)

  /** `module.shop.aws_lambda_function.f[0]`, as it is seen from a module. Whatever was asked already leads nowhere. */
  const addressOf = (module: Module, reference: string, asked: Set<string>): string | undefined => {
    const [kind = '', name = '', attribute = ''] = reference.split('.')
    const { prefix, parent } = module
    if (isRepeated(asked, `${prefix} ${reference}`)) return undefined
    if (kind === 'var' && parent !== undefined)
      return firstOf(module.given[name], (inner) => addressOf(parent, inner, asked))
    if (kind !== 'module') return `${prefix}${kind}.${name}`
    const child = modules.get(`${prefix}module.${withoutIndex(name)}.`)
    const output = objectOf(objectOf(child?.declared['outputs'])[attribute])['expression']
    return child && firstOf(output, (inner) => addressOf(child, inner, asked))
  }

  const find = (address: string, attribute: string, asked: Set<string>): string | undefined => {
    const [, prefix = '', own = ''] = /^((?:module\.[^.]+\.)*)(.*)$/.exec(withoutModuleIndex(address)) ?? []
    const module = modules.get(prefix)
    const declared = listOf(module?.declared['resources'])
      .map(objectOf)
      .find((one) => one['address'] === withoutIndex(own))
    const expression = objectOf(declared?.['expressions'])[attribute]
    return module && firstOf(expression, (reference) => nameOf(addressOf(module, reference, asked), asked))
  }

  const nameOf = (address: string | undefined, asked: Set<string>): string | undefined => {
    const { type, values } = found.get(address ?? '') ?? {}
    if (address === undefined || values === undefined) return undefined
    // Functions have no versions here, so an alias means its function.
    if (type === 'aws_lambda_alias')
      return typeof values['function_name'] === 'string'
        ? functionNameOf(values['function_name'])
        : find(address, 'function_name', asked)
    const name = values['name'] ?? values['function_name'] ?? values['id']
    return typeof name === 'string' ? name : undefined
  }
  return (address, attribute) => find(address, attribute, new Set())
}

function isRepeated(asked: Set<string>, question: string): boolean {
  if (asked.has(question)) return true
  asked.add(question)
  return false
}

interface Module {
  /** `module.shop.`; nothing for the root. */
  readonly prefix: string
  readonly declared: JsonObject
  readonly parent: Module | undefined
  /** The expressions that its variables were given. */
  readonly given: JsonObject
}

function collect(
  declared: JsonObject,
  prefix: string,
  parent: Module | undefined,
  given: JsonObject,
  modules: Map<string, Module>,
): void {
  const module = { prefix, declared, parent, given }
  modules.set(prefix, module)
  for (const [name, call] of Object.entries(objectOf(declared['module_calls']))) {
    const { module: inner, expressions } = objectOf(call)
    collect(objectOf(inner), `${prefix}module.${name}.`, module, objectOf(expressions), modules)
  }
}

function firstOf(
  expression: JsonObject[string] | undefined,
  resolve: (reference: string) => string | undefined,
): string | undefined {
  for (const reference of listOf(objectOf(expression)['references']).map(plainText)) {
    const found = resolve(reference)
    if (found !== undefined) return found
  }
  return undefined
}

function withoutIndex(address: string): string {
  return address.replace(/\[.*\]$/, '')
}

function withoutModuleIndex(address: string): string {
  return address.replaceAll(/(module\.[^.[]+)\[[^\]]*\]/g, '$1')
}
