import type { CodeTarget } from './code-target.ts'
import { jsString } from './string-literal.ts'

/** One call of a pattern. */
export interface PatternCall {
  /** As the page shows it: `examples/shop/shop.model.ts`. */
  readonly file: string
  readonly exportName: string
  readonly pattern: string
  readonly action: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly isLimited: boolean
}

/** TypeScript for the client that the model itself gives. */
export function modelClient(call: PatternCall, target: CodeTarget): string {
  const { file, exportName, pattern, action, parameters, isLimited } = call
  const imported = exportName === 'default' ? 'model' : exportName
  const statement = exportName === 'default' ? imported : `{ ${imported} }`
  const fileName = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  const argument = Object.keys(parameters).length === 0 ? '' : literal(parameters)
  const name = `db${member(pattern)}`
  return [
    "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'",
    "import { connect } from '@hashrange/model'",
    `import ${statement} from ${jsString(`./${fileName}`)}`,
    '',
    ...clientLines(target),
    `const db = connect(${imported}, client)`,
    '',
    ...(action === 'query' || action === 'scan'
      ? queryLines(name, argument, isLimited)
      : [`const { item, cost } = await ${name}(${argument})`, 'console.log(item, cost)']),
    '',
  ].join('\n')
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

function clientLines({ region, endpoint, accessKeyId, credentials }: CodeTarget): string[] {
  if (endpoint === undefined) return [`const client = new DynamoDBClient({ region: ${jsString(region)} })`]
  return [
    'const client = new DynamoDBClient({',
    `  endpoint: ${jsString(endpoint)},`,
    `  region: ${jsString(region)},`,
    ...(credentials === 'environment'
      ? []
      : [`  credentials: { accessKeyId: ${jsString(accessKeyId ?? 'local')}, secretAccessKey: 'local' },`]),
    '})',
  ]
}

function literal(value: unknown): string {
  if (typeof value === 'string') return jsString(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(([name, each]) => `${key(name)}: ${literal(each)}`)
  return `{ ${entries.join(', ')} }`
}

function key(name: string): string {
  return isIdentifier(name) ? name : jsString(name)
}

function member(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${jsString(name)}]`
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name)
}
