import type { AttributeValue } from '../api-types.ts'
import type { CodeTarget } from './code-target.ts'
import { membersOf, spreadOf, type ServiceRequest } from './service-request.ts'
import { jsString } from './string-literal.ts'

/** An ES module for the document client of the AWS SDK for JavaScript, version 3. */
export function javascript(requests: readonly ServiceRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  const { operation, input } = request
  const spread = spreadOf(requests)
  // With a limit, the first page is what is wanted.
  const isPaged = operation !== 'GetItem' && (input.Limit === undefined || operation === 'ExecuteStatement')
  const hasPaginator = isPaged && operation !== 'ExecuteStatement'
  const imported = hasPaginator ? `paginate${operation}` : commandOf(operation)
  const variable = spread && { placeholder: spread.placeholder, name: 'partition' }
  const object = objectOf(input, variable)
  const body = isPaged ? pagedBody(operation, object) : singleBody(operation, object)
  const code = spread === undefined ? body : inLoop(body, spread.values)
  const needsNumber = code.includes('NumberValue.from(')
  return [
    "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'",
    `import { DynamoDBDocumentClient, ${imported}${needsNumber ? ', NumberValue' : ''} } from '@aws-sdk/lib-dynamodb'`,
    '',
    ...clientLines(target),
    '',
    code,
    '',
  ].join('\n')
}

function clientLines({ region, endpoint, accessKeyId }: CodeTarget): string[] {
  if (endpoint === undefined) {
    return [`const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: ${jsString(region)} }))`]
  }
  const key = jsString(accessKeyId ?? 'local')
  return [
    'const client = DynamoDBDocumentClient.from(',
    '  new DynamoDBClient({',
    `    endpoint: ${jsString(endpoint)},`,
    `    region: ${jsString(region)},`,
    `    credentials: { accessKeyId: ${key}, secretAccessKey: 'local' },`,
    '  }),',
    ')',
  ]
}

function singleBody(operation: ServiceRequest['operation'], object: string): string {
  const command = `new ${commandOf(operation)}(${object})`
  if (operation === 'GetItem') return `const { Item: item } = await client.send(${command})\nconsole.log(item)`
  return `const { Items: items = [] } = await client.send(${command})\nconsole.log(items)`
}

/** The document client calls one of them otherwise. */
function commandOf(operation: ServiceRequest['operation']): string {
  return operation === 'GetItem' ? 'GetCommand' : `${operation}Command`
}

function pagedBody(operation: ServiceRequest['operation'], object: string): string {
  if (operation === 'ExecuteStatement') {
    return [
      'const items = []',
      'let NextToken',
      'do {',
      `  const page = await client.send(new ExecuteStatementCommand(${indent(withToken(object))}))`,
      '  items.push(...(page.Items ?? []))',
      '  NextToken = page.NextToken',
      '} while (NextToken !== undefined)',
      'console.log(items)',
    ].join('\n')
  }
  return [
    'const items = []',
    `const pages = paginate${operation}({ client }, ${object})`,
    'for await (const page of pages) items.push(...(page.Items ?? []))',
    'console.log(items)',
  ].join('\n')
}

function withToken(object: string): string {
  return object.replace(/\n\}$/, '\n  NextToken,\n}')
}

function inLoop(body: string, values: readonly AttributeValue[]): string {
  const inner = body
    .replace('const items = []\n', '')
    .replace(/\nconsole\.log\(items\)$/, '')
    .replace('const { Items: items = [] } =', 'const { Items = [] } =')
  return [
    '// One request per shard. Items of different shards are not in order: sort them before you show them.',
    'const items = []',
    `const partitions = [${values.map((value) => jsValue(value)).join(', ')}]`,
    'for (const partition of partitions) {',
    `  ${indent(inner)}`,
    ...(inner.startsWith('const { Items = [] }') ? ['  items.push(...Items)'] : []),
    '}',
    'console.log(items)',
  ].join('\n')
}

interface Variable {
  readonly placeholder: string
  readonly name: string
}

function objectOf(input: ServiceRequest['input'], variable: Variable | undefined): string {
  const lines = membersOf(input).map(([name, value]) => `  ${name}: ${indent(memberOf(name, value, variable))},`)
  return `{\n${lines.join('\n')}\n}`
}

function memberOf(name: string, value: unknown, variable: Variable | undefined): string {
  switch (name) {
    case 'Key':
    case 'ExpressionAttributeValues': {
      const entries = Object.entries(value as Readonly<Record<string, AttributeValue>>)
      return wrapped(
        '{',
        entries.map(
          ([key, member]) =>
            `${jsKey(key)}: ${key === variable?.placeholder ? variable.name : indent(jsValue(member))}`,
        ),
        '}',
      )
    }
    case 'Parameters':
      return wrapped(
        '[',
        (value as readonly AttributeValue[]).map((member) => jsValue(member)),
        ']',
      )
    case 'ExpressionAttributeNames':
      return wrapped(
        '{',
        Object.entries(value as Readonly<Record<string, string>>).map(
          ([key, text]) => `${jsKey(key)}: ${jsString(text)}`,
        ),
        '}',
      )
    default:
      return typeof value === 'string' ? jsString(value) : String(value)
  }
}

/** A value as the document client takes it. */
function jsValue(value: AttributeValue): string {
  if ('S' in value) return jsString(value.S)
  if ('N' in value) return jsNumber(value.N)
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'null'
  if ('B' in value) return jsBinary(value.B)
  if ('L' in value) return wrapped('[', value.L.map(jsValue), ']')
  if ('M' in value) {
    const entries = Object.entries(value.M)
    return wrapped(
      '{',
      entries.map(([name, member]) => `${jsKey(name)}: ${indent(jsValue(member))}`),
      '}',
    )
  }
  const members =
    'SS' in value ? value.SS.map(jsString) : 'NS' in value ? value.NS.map(jsNumber) : value.BS.map(jsBinary)
  return `new Set(${wrapped('[', members, ']')})`
}

/** As a number where that keeps every digit. */
function jsNumber(digits: string): string {
  const number = Number(digits)
  const isExact = String(number) === digits && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact ? digits : `NumberValue.from(${jsString(digits)})`
}

function jsBinary(base64: string): string {
  return `Buffer.from(${jsString(base64)}, 'base64')`
}

/** In an object, `__proto__: x` is no member of that name. */
function jsKey(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : jsString(name)
}

function wrapped(open: string, parts: readonly string[], close: string): string {
  const isBrace = open === '{'
  const line =
    parts.length === 0
      ? open + close
      : `${open}${isBrace ? ' ' : ''}${parts.join(', ')}${isBrace ? ' ' : ''}${close}`
  if (line.length <= 62 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `  ${indent(part)},`).join('\n')}\n${close}`
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
