import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { programBody } from './program-body.ts'
import { isWrite, type CodeRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'
import type { Member, Node } from './typed-input.ts'

/** A program for the AWS SDK for .NET. */
export function csharp(requests: readonly CodeRequest[], target: CodeTarget): string {
  const text = programBody(requests, {
    comment: '//',
    request: bodyOf,
    loop: (values, body) => [
      `var partitions = ${listText('AttributeValue', values.map(csharpValue))};`,
      'foreach (var partition in partitions)',
      '{',
      ...body.flatMap((line) => line.split('\n')).map((line) => (line === '' ? '' : `    ${line}`)),
      '}',
    ],
  })
  if (text === undefined) return ''
  const isLocal = localKeyOf(target) !== undefined
  return [
    ...(target.endpoint === undefined ? ['using Amazon;'] : []),
    'using Amazon.DynamoDBv2;',
    ...(text.includes('Document.') ? ['using Amazon.DynamoDBv2.DocumentModel;'] : []),
    'using Amazon.DynamoDBv2.Model;',
    ...(isLocal ? ['using Amazon.Runtime;'] : []),
    '',
    ...clientLines(target),
    '',
    text,
    '',
  ].join('\n')
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  if (endpoint === undefined) {
    return [`using var client = new AmazonDynamoDBClient(RegionEndpoint.GetBySystemName(${quotedString(region)}));`]
  }
  const config = [
    'new AmazonDynamoDBConfig',
    '{',
    `    ServiceURL = ${quotedString(endpoint)},`,
    `    AuthenticationRegion = ${quotedString(region)},`,
    '}',
  ]
  if (key === undefined) return [`using var client = new AmazonDynamoDBClient(${config.join('\n')});`]
  return [
    'using var client = new AmazonDynamoDBClient(',
    `    new BasicAWSCredentials(${quotedString(key)}, "local"),`,
    ...config.map((line) => `    ${line}`),
    ');',
  ]
}

const show = 'Console.WriteLine(Document.FromAttributeMap(item).ToJson());'

function bodyOf(request: CodeRequest, members: readonly Member[]): string[] {
  const { operation } = request
  const built = `var request = ${structText(`${operation}Request`, members)};`
  const call = `await client.${operation}Async(request)`
  if (isWrite(request)) {
    if (operation === 'BatchWriteItem') {
      return [
        built,
        `var response = ${call};`,
        '// What is left must be sent again.',
        'Console.WriteLine($"{response.UnprocessedItems?.Count ?? 0} tables have unprocessed items");',
      ]
    }
    if (request.input.ReturnValues === undefined) return [built, `${call};`]
    return [built, `var item = (${call}).Attributes;`, show]
  }
  if (operation === 'GetItem') return [built, `var item = (${call}).Item;`, show]
  if (operation === 'ExecuteStatement' || request.input.Limit !== undefined) {
    return [built, `foreach (var item in (${call}).Items)`, '{', `    ${show}`, '}']
  }
  return [
    built,
    `await foreach (var item in client.Paginators.${operation}(request).Items)`,
    '{',
    `    ${show}`,
    '}',
  ]
}

function structText(type: string, members: readonly Member[]): string {
  const lines = members.map(([name, node]) => `    ${indented(`${name} = ${csharpNode(node)}`)},`)
  return `new ${type}\n{\n${lines.join('\n')}\n}`
}

function csharpNode(node: Node): string {
  switch (node.kind) {
    case 'text':
      return quotedString(node.text)
    case 'enum':
      return `new ${node.type}(${quotedString(node.text)})`
    case 'number':
    case 'flag':
      return String(node.value)
    case 'value':
      return csharpValue(node.value)
    case 'variable':
      return node.name
    case 'item':
      return mapText('AttributeValue', node.entries)
    case 'names':
      return mapText('string', node.entries)
    case 'lists':
      return mapText(`List<${node.type}>`, node.entries)
    case 'list':
      return listText(node.type, node.nodes.map(csharpNode))
    case 'struct':
      return structText(node.type, node.members)
  }
}

function mapText(type: string, entries: readonly (readonly [string, Node])[]): string {
  return mapOf(
    type,
    entries.map(([name, node]) => [name, csharpNode(node)] as const),
  )
}

function mapOf(type: string, entries: readonly (readonly [string, string])[]): string {
  const lines = entries.map(([name, text]) => `    [${quotedString(name)}] = ${indented(text)},`)
  return `new Dictionary<string, ${type}>\n{\n${lines.join('\n')}\n}`
}

function listText(type: string, parts: readonly string[]): string {
  const line = `new List<${type}> { ${parts.join(', ')} }`
  if (line.length <= 80 && !line.includes('\n')) return line
  return `new List<${type}>\n{\n${parts.map((part) => `    ${indented(part)},`).join('\n')}\n}`
}

function csharpValue(value: AttributeValue): string {
  const made = (member: string): string => `new AttributeValue { ${member} }`
  if ('S' in value) return made(`S = ${quotedString(value.S)}`)
  if ('N' in value) return made(`N = ${quotedString(value.N)}`)
  if ('BOOL' in value) return made(`BOOL = ${String(value.BOOL)}`)
  if ('NULL' in value) return made('NULL = true')
  if ('B' in value) return made(`B = ${csharpBytes(value.B)}`)
  // An empty list or map must be said to be one.
  if ('L' in value) {
    return value.L.length === 0
      ? made('IsLSet = true')
      : made(`L = ${listText('AttributeValue', value.L.map(csharpValue))}`)
  }
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([name, each]) => [name, csharpValue(each)] as const)
    return entries.length === 0 ? made('IsMSet = true') : made(`M = ${mapOf('AttributeValue', entries)}`)
  }
  if ('SS' in value) return made(`SS = ${listText('string', value.SS.map(quotedString))}`)
  if ('NS' in value) return made(`NS = ${listText('string', value.NS.map(quotedString))}`)
  return made(`BS = ${listText('MemoryStream', value.BS.map(csharpBytes))}`)
}

function csharpBytes(base64: string): string {
  return `new MemoryStream(Convert.FromBase64String(${quotedString(base64)}))`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}
