import { localKeyOf, type CodeTarget } from './code-target.ts'
import { indent, jsKey, wrapped } from './javascript-values.ts'
import { jsString } from './string-literal.ts'

/** Where a model is. */
interface ModelPlace {
  /** As the page shows it: `examples/shop/shop.model.ts`. */
  readonly file: string
  readonly exportName: string
}

/** One call of a pattern. */
export interface PatternCall extends ModelPlace {
  readonly pattern: string
  readonly action: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly isLimited: boolean
}

/** Writes of entities: one by itself, or several together. */
export interface WriteCall extends ModelPlace {
  readonly way: 'one' | 'transaction' | 'batch'
  readonly steps: readonly WriteStep[]
  /** Functions of the library that the arguments use: `add`, `atLeast`. */
  readonly operators: readonly string[]
}

export interface WriteStep {
  readonly entity: string
  readonly action: 'create' | 'put' | 'update' | 'delete' | 'check'
  /** In code. */
  readonly args: readonly string[]
}

/** TypeScript for the client that the model itself gives. */
export function modelClient(call: PatternCall | WriteCall, target: CodeTarget): string {
  const { file, exportName } = call
  const imported = exportName === 'default' ? 'model' : exportName
  const statement = exportName === 'default' ? imported : `{ ${imported} }`
  const fileName = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  const functions = ['connect', ...('steps' in call ? call.operators : [])].toSorted()
  return [
    "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'",
    `import { ${functions.join(', ')} } from '@hashrange/model'`,
    `import ${statement} from ${jsString(`./${fileName}`)}`,
    '',
    ...clientLines(target),
    `const db = connect(${imported}, client)`,
    '',
    ...('steps' in call ? writeLines(call) : patternLines(call)),
    '',
  ].join('\n')
}

function patternLines({ pattern, action, parameters, isLimited }: PatternCall): string[] {
  const argument = Object.keys(parameters).length === 0 ? '' : literal(parameters)
  const name = `db${member(pattern)}`
  return action === 'query' || action === 'scan'
    ? queryLines(name, argument, isLimited)
    : [`const { item, cost } = await ${name}(${argument})`, 'console.log(item, cost)']
}

function queryLines(name: string, argument: string, isLimited: boolean): string[] {
  if (isLimited) {
    return [
      `const { entries, cursor, cost } = await ${name}(${argument})`,
      'for (const { entity, item } of entries) console.log(entity, item)',
      'console.log(cost, cursor) // { cursor } as the second argument gives the next page',
    ]
  }
  return [
    `for await (const { entity, item } of ${name}.iterate(${argument})) {`,
    '  console.log(entity, item)',
    '}',
  ]
}

function writeLines({ way, steps }: WriteCall): string[] {
  const [first] = steps
  if (way === 'one' && first !== undefined) {
    return [`const { item, cost } = await ${stepText('db', first)}`, 'console.log(item, cost)']
  }
  const [name, letter] = way === 'batch' ? ['batchWrite', 'b'] : ['transact', 't']
  return [
    `const { cost } = await db.${name}((${letter}) => [`,
    ...steps.map((step) => `  ${indent(stepText(letter, step))},`),
    '])',
    'console.log(cost)',
  ]
}

function stepText(on: string, { entity, action, args }: WriteStep): string {
  const [only = '', ...more] = args
  return `${on}${member(entity)}.${action}${more.length === 0 ? `(${only})` : wrapped('(', args, ')')}`
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  if (endpoint === undefined) return [`const client = new DynamoDBClient({ region: ${jsString(region)} })`]
  return [
    'const client = new DynamoDBClient({',
    `  endpoint: ${jsString(endpoint)},`,
    `  region: ${jsString(region)},`,
    ...(key === undefined ? [] : [`  credentials: { accessKeyId: ${jsString(key)}, secretAccessKey: 'local' },`]),
    '})',
  ]
}

function literal(value: unknown): string {
  if (typeof value === 'string') return jsString(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(([name, each]) => `${jsKey(name)}: ${literal(each)}`)
  return `{ ${entries.join(', ')} }`
}

function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${jsString(name)}]`
}
