import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { pythonWrite } from './python-writes.ts'
import { braced, pythonValue } from './python-values.ts'
import { isWrite, membersOf, spreadOf, type CodeRequest, type ServiceRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'

/** A script for boto3, by its resource: values are Python's own. */
export function python(requests: readonly CodeRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  if (isWrite(request)) return scriptOf(pythonWrite(request).join('\n'), request.input.TableName, target)
  const spread = spreadOf(requests)
  const parameters = parameterLines(request, spread?.placeholder)
  const body = bodyOf(request, parameters)
  const code =
    spread === undefined
      ? body
      : [
          '# One request per shard. Items of different shards are not in order: sort them before you show them.',
          `partitions = [${spread.values.map(pythonValue).join(', ')}]`,
          'items = []',
          'for partition in partitions:',
          ...indented(body.filter((line) => line !== 'items = []' && line !== 'print(items)')),
          'print(items)',
        ]
  return scriptOf(code.join('\n'), request.input.TableName, target)
}

function scriptOf(text: string, tableName: string | undefined, target: CodeTarget): string {
  return [
    ...(text.includes('base64.b64decode(') ? ['import base64'] : []),
    ...(text.includes('Decimal(') ? ['from decimal import Decimal', ''] : []),
    'import boto3',
    '',
    ...resourceLines(target),
    ...(tableName === undefined
      ? ['client = dynamodb.meta.client']
      : [`table = dynamodb.Table(${quotedString(tableName)})`]),
    '',
    text,
    '',
  ].join('\n')
}

function resourceLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  if (endpoint === undefined) return [`dynamodb = boto3.resource("dynamodb", region_name=${quotedString(region)})`]
  return [
    'dynamodb = boto3.resource(',
    '    "dynamodb",',
    `    endpoint_url=${quotedString(endpoint)},`,
    `    region_name=${quotedString(region)},`,
    ...(key === undefined
      ? []
      : [`    aws_access_key_id=${quotedString(key)},`, '    aws_secret_access_key="local",']),
    ')',
  ]
}

function bodyOf({ operation, input }: ServiceRequest, parameters: readonly string[]): string[] {
  switch (operation) {
    case 'GetItem':
      return ['response = table.get_item(', ...indented(parameters), ')', 'print(response.get("Item"))']
    case 'ExecuteStatement':
      return loop('client.execute_statement', parameters, 'NextToken', 'NextToken')
    case 'Query':
    case 'Scan': {
      const method = `table.${operation.toLowerCase()}`
      if (input.Limit === undefined) return loop(method, parameters, 'LastEvaluatedKey', 'ExclusiveStartKey')
      return [
        'items = []',
        `response = ${method}(`,
        ...indented(parameters),
        ')',
        'items += response["Items"]',
        'print(items)',
      ]
    }
  }
}

/** Page after page. */
function loop(method: string, parameters: readonly string[], given: string, taken: string): string[] {
  return [
    'items = []',
    'start = {}',
    'while start is not None:',
    `    response = ${method}(`,
    ...indented([...parameters, '**start,'], '        '),
    '    )',
    '    items += response["Items"]',
    `    start = {${quotedString(taken)}: response[${quotedString(given)}]} if ${quotedString(given)} in response else None`,
    'print(items)',
  ]
}

function parameterLines({ input }: ServiceRequest, placeholder: string | undefined): string[] {
  return membersOf(input)
    .filter(([name]) => name !== 'TableName')
    .map(([name, value]) => `${name}=${memberOf(name, value, placeholder)},`)
    .flatMap((text) => text.split('\n'))
}

function memberOf(name: string, value: unknown, placeholder: string | undefined): string {
  switch (name) {
    case 'Key':
    case 'ExpressionAttributeValues': {
      const entries = Object.entries(value as Readonly<Record<string, AttributeValue>>)
      return braced(
        '{',
        entries.map(
          ([key, member]) => `${quotedString(key)}: ${key === placeholder ? 'partition' : pythonValue(member)}`,
        ),
        '}',
      )
    }
    case 'Parameters':
      return braced('[', (value as readonly AttributeValue[]).map(pythonValue), ']')
    case 'ExpressionAttributeNames':
      return braced(
        '{',
        Object.entries(value as Readonly<Record<string, string>>).map(
          ([key, text]) => `${quotedString(key)}: ${quotedString(text)}`,
        ),
        '}',
      )
    default:
      if (typeof value === 'boolean') return value ? 'True' : 'False'
      return typeof value === 'string' ? quotedString(value) : String(value)
  }
}

function indented(lines: readonly string[], space = '    '): string[] {
  return lines.map((line) => space + line)
}
