import {
  isObject,
  listOf,
  objectOf,
  TemplateError,
  type Json,
  type JsonObject,
  type ReadOptions,
  plainText,
} from '../table-design.ts'
import { TextBudget } from '../text-budget.ts'
import { Unresolved } from '../unresolved.ts'
import { evaluate, holds, type Evaluated, type References } from './evaluate.ts'
import { expandForEach } from './for-each.ts'

export interface Resource {
  readonly id: string
  readonly type: string
  readonly properties: JsonObject
  /** All that the template says about it: its policies, and what it depends on. */
  readonly declaration: JsonObject
}

/** A CloudFormation template, with the values that its functions refer to. */
export class Template implements References {
  readonly file: string
  readonly options: ReadOptions
  readonly #parameters: JsonObject
  readonly #mappings: JsonObject
  readonly #conditions: JsonObject
  readonly #resources: JsonObject
  /** What SAM's resources of a kind have in common. */
  readonly #globals: JsonObject
  /** Conditions and resources that are being evaluated: one that refers to itself is none. */
  readonly #open = new Set<string>()
  /** What they were found to be: many may refer to the same one. */
  readonly #found = new Map<string, unknown>()
  readonly budget = new TextBudget()

  constructor(document: Json, file: string, options: ReadOptions) {
    const whole = objectOf(document)
    if (!isObject(whole['Resources'])) throw new TemplateError(`${file} has no Resources.`)
    this.file = file
    this.options = options
    this.#parameters = objectOf(whole['Parameters'])
    this.#mappings = objectOf(whole['Mappings'])
    this.#conditions = objectOf(whole['Conditions'])
    this.#globals = objectOf(whole['Globals'])
    this.#resources = objectOf(expandForEach(whole['Resources'], (list) => listOfTexts(evaluate(list, this))))
    for (const name of options.parameters?.keys() ?? []) {
      if (!Object.hasOwn(this.#parameters, name) && options.parameters !== undefined && this.isAlone)
        throw new TemplateError(`${file} has no parameter ${name}.`)
    }
  }

  /** Whether parameters can only be meant for this template. */
  get isAlone(): boolean {
    return Object.keys(this.#parameters).length > 0
  }

  /** The resources whose condition holds. Where it is not known whether it does, the reason is given. */
  *resources(): Iterable<Resource & { readonly unknown?: string }> {
    for (const [id, resource] of Object.entries(this.#resources)) {
      if (!isObject(resource)) continue
      const type = plainText(resource['Type'])
      const properties = this.#propertiesOf(type, resource)
      const condition = resource['Condition']
      const result = typeof condition === 'string' ? this.condition(condition) : true
      if (result instanceof Unresolved)
        yield { id, type, properties, declaration: resource, unknown: result.reason }
      else if (result) yield { id, type, properties, declaration: resource }
    }
  }

  hasParameter(name: string): boolean {
    return Object.hasOwn(this.#parameters, name)
  }

  ref(name: string): Evaluated {
    if (name === 'AWS::NoValue') return undefined
    if (name.startsWith('AWS::')) return this.#pseudo(name)
    if (this.hasParameter(name)) return this.#parameter(name, objectOf(this.#parameters[name]))
    return this.attribute(name, 'Name')
  }

  attribute(id: string, attribute: string): Evaluated {
    const resource = Object.hasOwn(this.#resources, id) ? this.#resources[id] : undefined
    if (!isObject(resource)) return new Unresolved(`there is no resource or parameter ${id}`)
    const type = plainText(resource['Type'])
    const properties = objectOf(resource['Properties'])
    if (type === scalableTargetType)
      return attribute === 'Name' ? this.#once(id, () => this.#target(properties)) : id
    // Functions have no versions here, so what refers to one means the function.
    if (versionTypes.has(type) && attribute === 'Name')
      return this.#once(id, () => evaluate(properties['FunctionName'] ?? null, this))
    const arn = arnOf(type)
    if (arn === undefined) return new Unresolved(`${id} is not a table`)
    const name = this.nameOf(id, type, properties)
    if (name instanceof Unresolved || attribute === 'Name' || attribute === 'TableId') return name
    const { region, accountId } = this.options
    if (attribute === 'Arn') return `arn:aws:${arn(`${region}:${accountId}`)}${name}`
    return new Unresolved(`${id}.${attribute} is known once the table is there`)
  }

  /** Resources without a name get one from AWS: `stack-OrdersTable-1ABCDEF`. Here it does not end in chance. */
  nameOf(id: string, type: string, properties: JsonObject): string | Unresolved {
    return this.#nameOf(id, properties[namingProperties.get(type) ?? 'TableName'])
  }

  #target(properties: JsonObject): Evaluated {
    const parts = ['ResourceId', 'ScalableDimension', 'ServiceNamespace'].map((name) =>
      evaluate(properties[name] ?? null, this),
    )
    return parts.find((part) => part instanceof Unresolved) ?? parts.map(plainText).join('|')
  }

  #propertiesOf(type: string, { Properties, IgnoreGlobals }: JsonObject): JsonObject {
    const properties = objectOf(Properties)
    const kind = /^AWS::Serverless::(Function|SimpleTable)$/.exec(type)?.[1]
    if (kind === undefined || IgnoreGlobals === '*') return properties
    const ignored = new Set(listOf(IgnoreGlobals).map(plainText))
    const usual = Object.fromEntries(
      Object.entries(objectOf(this.#globals[kind])).filter(([name]) => !ignored.has(name)),
    )
    // Variables of both places count.
    const variables = (from: JsonObject): JsonObject => objectOf(objectOf(from['Environment'])['Variables'])
    const Variables = { ...variables(usual), ...variables(properties) }
    return { ...usual, ...properties, ...(Object.keys(Variables).length > 0 && { Environment: { Variables } }) }
  }

  #nameOf(id: string, given: Json | undefined): string | Unresolved {
    if (given === undefined || given === null) {
      return this.options.stack === undefined ? id : `${this.options.stack}-${id}`
    }
    return this.#once(id, () => {
      const name = evaluate(given, this)
      if (name instanceof Unresolved) return name
      return name === undefined ? this.#nameOf(id, undefined) : plainText(name)
    })
  }

  condition(name: string): boolean | Unresolved {
    if (!Object.hasOwn(this.#conditions, name)) return new Unresolved(`there is no condition ${name}`)
    return this.#once(`condition ${name}`, () => holds(this.#conditions[name], this))
  }

  mapped(map: string, first: string, second: string): Json | undefined {
    const inner = objectOf(objectOf(this.#mappings[map])[first])
    return Object.hasOwn(inner, second) ? inner[second] : undefined
  }

  #once<Result>(what: string, find: () => Result): Result | Unresolved {
    if (this.#open.has(what)) return new Unresolved(`${what} refers to itself`)
    if (this.#found.has(what)) return this.#found.get(what) as Result | Unresolved
    this.#open.add(what)
    try {
      const found = find()
      this.#found.set(what, found)
      return found
    } finally {
      this.#open.delete(what)
    }
  }

  #parameter(name: string, declared: JsonObject): Evaluated {
    const type = plainText(declared['Type'] ?? 'String')
    const given = this.options.parameters?.get(name)
    if (given === undefined && type.startsWith('AWS::SSM::Parameter::Value<'))
      return new Unresolved(`the parameter ${name} is kept by AWS Systems Manager: give its value`)
    const value = given ?? declared['Default']
    if (value === undefined || value === null)
      return new Unresolved(`the parameter ${name} has no default: give its value`)
    if (type === 'CommaDelimitedList' || type.includes('List<'))
      return plainText(value)
        .split(',')
        .map((part) => part.trim())
    return type === 'Number' ? Number(value) : plainText(value)
  }

  #pseudo(name: string): Evaluated {
    const { region, accountId, stack } = this.options
    const known: Readonly<Record<string, string>> = {
      'AWS::Region': region,
      'AWS::AccountId': accountId,
      'AWS::Partition': 'aws',
      'AWS::URLSuffix': 'amazonaws.com',
      'AWS::StackName': stack ?? 'local',
      'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${stack ?? 'local'}/local`,
    }
    return known[name] ?? new Unresolved(`${name} is known by AWS alone`)
  }
}

export const kinesisStreamType = 'AWS::Kinesis::Stream'
const versionTypes: ReadonlySet<string> = new Set(['AWS::Lambda::Alias', 'AWS::Lambda::Version'])
const scalableTargetType = 'AWS::ApplicationAutoScaling::ScalableTarget'

/** What names a resource, where it is not `TableName`. */
const namingProperties: ReadonlyMap<string, string> = new Map([
  ['AWS::CloudWatch::Alarm', 'AlarmName'],
  [kinesisStreamType, 'Name'],
  ['AWS::Lambda::Function', 'FunctionName'],
  ['AWS::Serverless::Function', 'FunctionName'],
])

/** The beginning of its ARN, for a place; undefined for what is not here. */
function arnOf(type: string): ((place: string) => string) | undefined {
  if (isTable(type)) return (place) => `dynamodb:${place}:table/`
  switch (type) {
    case kinesisStreamType:
      return (place) => `kinesis:${place}:stream/`
    case 'AWS::CloudWatch::Alarm':
      return (place) => `cloudwatch:${place}:alarm:`
    case 'AWS::Lambda::Function':
    case 'AWS::Serverless::Function':
      return (place) => `lambda:${place}:function:`
    default:
      return undefined
  }
}

export function isTable(type: string): boolean {
  return tableTypes.has(type)
}

const tableTypes: ReadonlySet<string> = new Set([
  'AWS::DynamoDB::Table',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Serverless::SimpleTable',
])

function listOfTexts(value: Evaluated): readonly string[] {
  return value instanceof Unresolved ? [] : listOf(value).map((one) => plainText(one))
}
