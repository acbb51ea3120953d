import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { programBody } from './program-body.ts'
import { isWrite, type CodeRequest } from './service-request.ts'
import { singleOrDouble } from './string-literal.ts'
import type { Node } from './typed-input.ts'

/** A script for the AWS SDK for PHP, version 3. */
export function php(requests: readonly CodeRequest[], target: CodeTarget): string {
  const text = programBody(requests, {
    comment: '//',
    request: (request, members) =>
      bodyOf(request, braced(members.map(([name, node]) => `${phpString(name)} => ${phpNode(node)}`))),
    loop: (values, body) => [
      `foreach (${braced(values.map(phpValue))} as $partition) {`,
      ...body.flatMap((line) => line.split('\n')).map((line) => `    ${line}`),
      '}',
    ],
  })
  if (text === undefined) return ''
  return [
    '<?php',
    '',
    "require 'vendor/autoload.php';",
    '',
    'use Aws\\DynamoDb\\DynamoDbClient;',
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
  return [
    '$client = new DynamoDbClient([',
    `    'region' => ${phpString(region)},`,
    ...(endpoint === undefined ? [] : [`    'endpoint' => ${phpString(endpoint)},`]),
    ...(key === undefined ? [] : [`    'credentials' => ['key' => ${phpString(key)}, 'secret' => 'local'],`]),
    ']);',
  ]
}

function bodyOf(request: CodeRequest, input: string): string[] {
  const { operation } = request
  const method = operation.charAt(0).toLowerCase() + operation.slice(1)
  if (isWrite(request)) {
    const result = resultOf(request.operation, request.input.ReturnValues !== undefined)
    if (result === undefined) return [`$client->${method}(${input});`]
    return [
      `$result = $client->${method}(${input});`,
      ...(request.operation === 'BatchWriteItem' ? ['// What is left must be sent again.'] : []),
      `print_r($result['${result}'] ?? null);`,
    ]
  }
  if (operation === 'GetItem') return [`$result = $client->getItem(${input});`, "print_r($result['Item'] ?? null);"]
  if (operation === 'ExecuteStatement' || request.input.Limit !== undefined) {
    return [
      `$result = $client->${method}(${input});`,
      "foreach ($result['Items'] as $item) {",
      '    print_r($item);',
      '}',
    ]
  }
  return [
    `foreach ($client->getPaginator(${phpString(operation)}, ${input}) as $page) {`,
    "    foreach ($page['Items'] as $item) {",
    '        print_r($item);',
    '    }',
    '}',
  ]
}

/** What a write is asked to answer with. */
function resultOf(operation: string, returnsValues: boolean): string | undefined {
  if (operation === 'BatchWriteItem') return 'UnprocessedItems'
  return returnsValues ? 'Attributes' : undefined
}

function phpNode(node: Node): string {
  switch (node.kind) {
    case 'text':
    case 'enum':
      return phpString(node.text)
    case 'number':
    case 'flag':
      return String(node.value)
    case 'value':
      return phpValue(node.value)
    case 'variable':
      return `$${node.name}`
    case 'item':
    case 'names':
    case 'lists':
      return braced(node.entries.map(([name, each]) => `${phpString(name)} => ${phpNode(each)}`))
    case 'list':
      return braced(node.nodes.map(phpNode))
    case 'struct':
      return braced(node.members.map(([name, each]) => `${phpString(name)} => ${phpNode(each)}`))
  }
}

/** The SDK takes values in DynamoDB's own form. */
function phpValue(value: AttributeValue): string {
  if ('S' in value) return `['S' => ${phpString(value.S)}]`
  if ('N' in value) return `['N' => ${phpString(value.N)}]`
  if ('BOOL' in value) return `['BOOL' => ${String(value.BOOL)}]`
  if ('NULL' in value) return "['NULL' => true]"
  if ('B' in value) return `['B' => base64_decode(${phpString(value.B)})]`
  if ('L' in value) return `['L' => ${braced(value.L.map(phpValue))}]`
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([name, each]) => `${phpString(name)} => ${phpValue(each)}`)
    return `['M' => ${braced(entries)}]`
  }
  if ('SS' in value) return `['SS' => ${braced(value.SS.map(phpString))}]`
  if ('NS' in value) return `['NS' => ${braced(value.NS.map(phpString))}]`
  return `['BS' => ${braced(value.BS.map((bytes) => `base64_decode(${phpString(bytes)})`))}]`
}

function phpString(text: string): string {
  return singleOrDouble(text, /[\\"$]/g)
}

function braced(parts: readonly string[]): string {
  const line = `[${parts.join(', ')}]`
  if (line.length <= 70 && !line.includes('\n')) return line
  return `[\n${parts.map((part) => `    ${part.replaceAll('\n', '\n    ')},`).join('\n')}\n]`
}
