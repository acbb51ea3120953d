import { validationException } from '@hashrange/core'
import { isObject, listOf, objectOf, plainText, type Json, type JsonObject } from '@hashrange/templates'
import { transformsOf } from './read-template.ts'

/** What functions refer to must be declared in the template, also in branches of Fn::If that are not taken. AWS refuses
 *  other templates before it begins. */
export function assertReferences(template: JsonObject): void {
  if (isIncomplete(template)) return
  const declared = declaredIn(template)
  assertConditions(declared)
  assertBlocks(template, declared)
}

/** Where the conditions are known: what is created must not refer to a resource that is not. */
export function assertCreated(template: JsonObject, holds: (condition: string) => boolean): void {
  if (isIncomplete(template)) return
  const isThere = ([, { Condition }]: readonly [string, JsonObject]): boolean =>
    typeof Condition !== 'string' || holds(Condition)
  const declared = declaredIn(template)
  const there = (block: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(block)
        .map(([id, one]) => [id, objectOf(one)] as const)
        .filter(isThere),
    )
  const created = { ...declared, resources: there(declared.resources), holds }
  const Outputs = there(objectOf(template['Outputs']))
  assertBlocks({ Resources: created.resources, Outputs }, created)
}

interface Declared {
  readonly resources: JsonObject
  readonly parameters: JsonObject
  readonly conditions: JsonObject
  readonly holds?: (condition: string) => boolean
}

/** What a transform would make is not known here. */
function isIncomplete(template: JsonObject): boolean {
  const ids = Object.keys(objectOf(template['Resources']))
  return transformsOf(template).length > 0 || ids.some((id) => id.startsWith('Fn::ForEach'))
}

function declaredIn(template: JsonObject): Declared {
  return {
    resources: objectOf(template['Resources']),
    parameters: objectOf(template['Parameters']),
    conditions: objectOf(template['Conditions']),
  }
}

function assertBlocks(template: JsonObject, declared: Declared): void {
  const inResources = new Block('Resources', declared)
  for (const resource of Object.values(objectOf(template['Resources'])).map(objectOf)) {
    const { Condition, DependsOn, Properties = null } = resource
    inResources.condition(Condition)
    inResources.dependencies(DependsOn)
    inResources.value(Properties)
  }
  inResources.assertResolved()
  const inOutputs = new Block('Outputs', declared)
  for (const { Condition, Value = null, Export = null } of Object.values(objectOf(template['Outputs'])).map(
    objectOf,
  )) {
    inOutputs.condition(Condition)
    inOutputs.value(Value)
    inOutputs.value(Export)
  }
  inOutputs.assertResolved()
}

/** Conditions are evaluated before there is any resource. */
function assertConditions({ conditions, parameters }: Declared): void {
  const unknown = new Set<string>()
  for (const name of refsIn(conditions))
    if (!Object.hasOwn(parameters, name) && !pseudo.has(name)) unknown.add(name)
  if (unknown.size > 0)
    throw validationException(
      `Template format error: Unresolved dependencies [${listed(unknown)}]. Cannot reference resources in the Conditions block of the template`,
    )
}

function* refsIn(value: Json): Iterable<string> {
  if (Array.isArray(value)) for (const part of value as readonly Json[]) yield* refsIn(part)
  if (!isObject(value)) return
  if (isCall(value, 'Ref') && typeof value['Ref'] === 'string') yield value['Ref']
  else for (const part of Object.values(value)) yield* refsIn(part)
}

/** A block of a template: what it refers to that is not declared is reported together, as on AWS. */
class Block {
  readonly #name: string
  readonly #declared: Declared
  readonly #unresolved = new Set<string>()

  constructor(name: string, declared: Declared) {
    this.#name = name
    this.#declared = declared
  }

  condition(name: Json | undefined): void {
    if (typeof name !== 'string' || Object.hasOwn(this.#declared.conditions, name)) return
    throw validationException(
      `Template format error: Unresolved condition dependency ${shown(name)} in the ${this.#name} block of the template`,
    )
  }

  /** Those whose condition does not hold are not waited for. */
  dependencies(names: Json | undefined): void {
    if (this.#declared.holds !== undefined) return
    for (const id of Array.isArray(names) ? listOf(names) : [names]) if (typeof id === 'string') this.#resource(id)
  }

  value(value: Json): void {
    if (Array.isArray(value)) for (const part of value as readonly Json[]) this.value(part)
    if (!isObject(value)) return
    if (isCall(value, 'Ref')) this.#ref(value['Ref'])
    else if (isCall(value, 'Fn::GetAtt')) this.#attribute(value['Fn::GetAtt'])
    else if (isCall(value, 'Fn::Sub')) this.#substitution(value['Fn::Sub'] ?? null)
    // What a macro makes of it is not known.
    else if (isCall(value, 'Fn::Transform')) return
    else if (isCall(value, 'Fn::If')) this.#branches(value['Fn::If'])
    else for (const part of Object.values(value)) this.value(part)
  }

  assertResolved(): void {
    if (this.#unresolved.size > 0)
      throw validationException(
        `Template format error: Unresolved resource dependencies [${listed(this.#unresolved)}] in the ${this.#name} block of the template`,
      )
  }

  #resource(id: string): void {
    if (!this.#isDeclared(id)) this.#unresolved.add(id)
  }

  /** What is in a module is named after it: Module.Resource. */
  #isDeclared(id: string): boolean {
    const { resources } = this.#declared
    const [module = ''] = id.split('.', 1)
    const isModule =
      Object.hasOwn(resources, module) && plainText(objectOf(resources[module])['Type']).endsWith('::MODULE')
    return isModule || Object.hasOwn(resources, id)
  }

  #ref(name: Json | undefined): void {
    if (typeof name !== 'string' || pseudo.has(name) || Object.hasOwn(this.#declared.parameters, name)) return
    this.#resource(name)
  }

  #attribute(argument: Json | undefined): void {
    const whole = Array.isArray(argument) ? (argument as readonly Json[])[0] : argument
    if (typeof whole !== 'string') return
    const id = Array.isArray(argument) ? whole : (whole.split('.', 1)[0] ?? '')
    if (this.#declared.holds !== undefined) return this.#resource(id)
    if (!this.#isDeclared(id))
      throw validationException(`Template error: instance of Fn::GetAtt references undefined resource ${shown(id)}`)
  }

  #substitution(argument: Json): void {
    const [text, variables = null] = Array.isArray(argument) ? (argument as readonly Json[]) : [argument]
    this.value(variables)
    if (typeof text !== 'string') return
    for (const [, found = ''] of text.matchAll(/\$\{([^!{}][^{}]*)\}/g)) {
      const name = found.trim()
      if (Object.hasOwn(objectOf(variables), name)) continue
      const [id = ''] = name.split('.', 1)
      if (id === name) this.#ref(name)
      else if (this.#declared.holds !== undefined) this.#resource(id)
      else if (!this.#isDeclared(id))
        throw validationException(
          `Template error: instance of Fn::Sub references invalid resource attribute ${shown(name)}`,
        )
    }
  }

  #branches(argument: Json | undefined): void {
    const { conditions, holds } = this.#declared
    const [name, yes = null, no = null] = listOf(argument)
    if (typeof name === 'string' && !Object.hasOwn(conditions, name))
      throw validationException(`Template error: unresolved condition dependency ${shown(name)} in Fn::If`)
    const isChosen = holds !== undefined && typeof name === 'string'
    for (const branch of isChosen ? [holds(name) ? yes : no] : [yes, no]) this.value(branch)
  }
}

const pseudo: ReadonlySet<string> = new Set(
  ['AccountId', 'NotificationARNs', 'NoValue', 'Partition', 'Region', 'StackId', 'StackName', 'URLSuffix'].map(
    (name) => `AWS::${name}`,
  ),
)

/** A function is the only member of its object. */
function isCall(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && Object.keys(value).length === 1
}

function listed(names: ReadonlySet<string>): string {
  return [...names].map(shown).join(', ').slice(0, 1_000)
}

function shown(name: string): string {
  return plainText(name).slice(0, 255)
}
