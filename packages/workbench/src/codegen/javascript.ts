import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { indent, jsKey, jsValue, wrapped } from './javascript-values.ts'
import { javascriptWrite, writeCommand } from './javascript-writes.ts'
import { isWrite, membersOf, spreadOf, type CodeRequest, type ServiceRequest } from './service-request.ts'
import { jsString } from './string-literal.ts'

/** An ES module for the document client of the AWS SDK for JavaScript, version 3. */
export function javascript(requests: readonly CodeRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  if (isWrite(request)) return moduleOf([writeCommand(request)], javascriptWrite(request, false), target)
  const { code, imported } = readCode(request, spreadOf(requests))
  return moduleOf([imported], code, target)
}

/** The same in TypeScript: what is read has a type, and so has what is sent. */
export function typescript(requests: readonly CodeRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  if (isWrite(request)) {
    const isBatch = request.operation === 'BatchWriteItem'
    const types = isBatch ? ['type BatchWriteCommandInput', 'type BatchWriteCommandOutput'] : []
    return moduleOf([writeCommand(request), ...types], javascriptWrite(request, true), target)
  }
  const { code, imported } = readCode(request, spreadOf(requests))
  const typed = code
    .replace('const items = []', 'const items: Record<string, NativeAttributeValue>[] = []')
    .replace('let NextToken\n', 'let NextToken: string | undefined\n')
    .replace('const page = await', 'const page: ExecuteStatementCommandOutput = await')
  const types = typed.includes(': ExecuteStatementCommandOutput') ? ['type ExecuteStatementCommandOutput'] : []
  const isNative = typed.includes('NativeAttributeValue>')
  return moduleOf([imported, ...types], typed, target, isNative)
}

function moduleOf(imported: readonly string[], code: string, target: CodeTarget, isNative = false): string {
  const names = [
    'DynamoDBDocumentClient',
    ...imported,
    ...(code.includes('NumberValue.from(') ? ['NumberValue'] : []),
  ]
  return [
    "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'",
    `import { ${names.join(', ')} } from '@aws-sdk/lib-dynamodb'`,
    ...(isNative ? ["import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb'"] : []),
    '',
    ...clientLines(target),
    '',
    code,
    '',
  ].join('\n')
}

function readCode(
  { operation, input }: ServiceRequest,
  spread: ReturnType<typeof spreadOf>,
): { readonly code: string; readonly imported: string } {
  // With a limit, the first page is what is wanted.
  const isPaged = operation !== 'GetItem' && (input.Limit === undefined || operation === 'ExecuteStatement')
  const hasPaginator = isPaged && operation !== 'ExecuteStatement'
  const imported = hasPaginator ? `paginate${operation}` : commandOf(operation)
  const variable = spread && { placeholder: spread.placeholder, name: 'partition' }
  const object = objectOf(input, variable)
  const body = isPaged ? pagedBody(operation, object) : singleBody(operation, object)
  return { code: spread === undefined ? body : inLoop(body, spread.values), imported }
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  if (endpoint === undefined) {
    return [`const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: ${jsString(region)} }))`]
  }
  return [
    'const client = DynamoDBDocumentClient.from(',
    '  new DynamoDBClient({',
    `    endpoint: ${jsString(endpoint)},`,
    `    region: ${jsString(region)},`,
    ...(key === undefined ? [] : [`    credentials: { accessKeyId: ${jsString(key)}, secretAccessKey: 'local' },`]),
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
