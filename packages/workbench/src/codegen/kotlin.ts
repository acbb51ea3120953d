import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { camelCase } from './name-cases.ts'
import { programBody } from './program-body.ts'
import { isWrite, type CodeRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'
import type { Member, Node } from './typed-input.ts'

/** A program for the AWS SDK for Kotlin. */
export function kotlin(requests: readonly CodeRequest[], target: CodeTarget): string {
  const text = programBody(requests, {
    comment: '//',
    request: bodyOf,
    loop: (values, body) => [
      `for (partition in listOf(${values.map(kotlinValue).join(', ')})) {`,
      ...body.map((line) => `    ${line}`),
      '}',
    ],
  })
  if (text === undefined) return ''
  const isLocal = localKeyOf(target) !== undefined
  const imports = [
    ...(isLocal ? ['aws.sdk.kotlin.runtime.auth.credentials.StaticCredentialsProvider'] : []),
    'aws.sdk.kotlin.services.dynamodb.DynamoDbClient',
    'aws.sdk.kotlin.services.dynamodb.model.*',
    ...(text.includes('Paginated(')
      ? [
          'aws.sdk.kotlin.services.dynamodb.paginators.items',
          `aws.sdk.kotlin.services.dynamodb.paginators.${camelCase(requests[0]?.operation ?? '')}Paginated`,
        ]
      : []),
    ...(isLocal ? ['aws.smithy.kotlin.runtime.auth.awscredentials.Credentials'] : []),
    ...(target.endpoint === undefined ? [] : ['aws.smithy.kotlin.runtime.net.url.Url']),
    ...(text.includes('Base64.') ? ['java.util.Base64'] : []),
  ]
  return [
    ...imports.map((name) => `import ${name}`),
    '',
    'suspend fun main() {',
    '    DynamoDbClient {',
    ...clientLines(target).map((line) => `        ${line}`),
    '    }.use { client ->',
    ...text.split('\n').map((line) => `        ${line}`),
    '    }',
    '}',
    '',
  ].join('\n')
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  return [
    `region = ${kotlinString(region)}`,
    ...(endpoint === undefined ? [] : [`endpointUrl = Url.parse(${kotlinString(endpoint)})`]),
    ...(key === undefined
      ? []
      : [`credentialsProvider = StaticCredentialsProvider(Credentials(${kotlinString(key)}, "local"))`]),
  ]
}

function bodyOf(request: CodeRequest, members: readonly Member[]): string[] {
  const { operation } = request
  const method = camelCase(operation)
  const built = structText(`${operation}Request`, members)
  if (isWrite(request)) {
    if (operation === 'BatchWriteItem') {
      return [
        `val response = client.${method}(${built})`,
        '// What is left must be sent again.',
        'println(response.unprocessedItems)',
      ]
    }
    if (request.input.ReturnValues === undefined) return [`client.${method}(${built})`]
    return [`val response = client.${method}(${built})`, 'println(response.attributes)']
  }
  if (operation === 'GetItem') return [`val response = client.getItem(${built})`, 'println(response.item)']
  if (operation === 'ExecuteStatement' || request.input.Limit !== undefined) {
    return [`val response = client.${method}(${built})`, 'response.items?.forEach { item -> println(item) }']
  }
  return [`client.${method}Paginated(${built}).items().collect { item -> println(item) }`]
}

function structText(type: string, members: readonly Member[]): string {
  const lines = members.map(([name, node]) => `    ${indented(`${camelCase(name)} = ${kotlinNode(node)}`)}`)
  return `${type} {\n${lines.join('\n')}\n}`
}

function kotlinNode(node: Node): string {
  switch (node.kind) {
    case 'text':
      return kotlinString(node.text)
    case 'enum':
      return `${node.type}.fromValue(${kotlinString(node.text)})`
    case 'number':
    case 'flag':
      return String(node.value)
    case 'value':
      return kotlinValue(node.value)
    case 'variable':
      return node.name
    case 'item':
    case 'names':
    case 'lists':
      return call(
        'mapOf',
        node.entries.map(([name, each]) => `${kotlinString(name)} to ${kotlinNode(each)}`),
      )
    case 'list':
      return call('listOf', node.nodes.map(kotlinNode))
    case 'struct':
      return structText(node.type, node.members)
  }
}

function kotlinValue(value: AttributeValue): string {
  if ('S' in value) return `AttributeValue.S(${kotlinString(value.S)})`
  if ('N' in value) return `AttributeValue.N(${kotlinString(value.N)})`
  if ('BOOL' in value) return `AttributeValue.Bool(${String(value.BOOL)})`
  if ('NULL' in value) return 'AttributeValue.Null(true)'
  if ('B' in value) return `AttributeValue.B(${kotlinBytes(value.B)})`
  if ('L' in value) return `AttributeValue.L(${call('listOf', value.L.map(kotlinValue))})`
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([name, each]) => `${kotlinString(name)} to ${kotlinValue(each)}`)
    return `AttributeValue.M(${call('mapOf', entries)})`
  }
  if ('SS' in value) return `AttributeValue.Ss(${call('listOf', value.SS.map(kotlinString))})`
  if ('NS' in value) return `AttributeValue.Ns(${call('listOf', value.NS.map(kotlinString))})`
  return `AttributeValue.Bs(${call('listOf', value.BS.map(kotlinBytes))})`
}

function kotlinBytes(base64: string): string {
  return `Base64.getDecoder().decode(${kotlinString(base64)})`
}

/** A `$` would begin a template. */
function kotlinString(text: string): string {
  return quotedString(text)
    .replaceAll('$', String.raw`\$`)
    .replaceAll(/\\(.)/g, (escape, letter) => (letter === 'f' ? String.raw`\u000c` : escape))
}

function call(name: string, parts: readonly string[]): string {
  const line = `${name}(${parts.join(', ')})`
  if (line.length <= 76 && !line.includes('\n')) return line
  return `${name}(\n${parts.map((part) => `    ${indented(part)},`).join('\n')}\n)`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}
