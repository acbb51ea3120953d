import type { AttributeValue } from '../api-types.ts'
import type { CodeTarget } from './code-target.ts'
import { membersOf, spreadOf, type ServiceRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'

/** A script for boto3, by its resource: values are Python's own. */
export function python(requests: readonly ServiceRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
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
  const text = code.join('\n')
  return [
    ...(text.includes('base64.b64decode(') ? ['import base64'] : []),
    ...(text.includes('Decimal(') ? ['from decimal import Decimal', ''] : []),
    'import boto3',
    '',
    ...resourceLines(target),
    ...(request.input.TableName === undefined
      ? ['client = dynamodb.meta.client']
      : [`table = dynamodb.Table(${quotedString(request.input.TableName)})`]),
    '',
    text,
    '',
  ].join('\n')
}

function resourceLines({ region, endpoint, accessKeyId }: CodeTarget): string[] {
  if (endpoint === undefined) return [`dynamodb = boto3.resource("dynamodb", region_name=${quotedString(region)})`]
  return [
    'dynamodb = boto3.resource(',
    '    "dynamodb",',
    `    endpoint_url=${quotedString(endpoint)},`,
    `    region_name=${quotedString(region)},`,
    `    aws_access_key_id=${quotedString(accessKeyId ?? 'local')},`,
    '    aws_secret_access_key="local",',
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

/** A value as the resource takes it. */
function pythonValue(value: AttributeValue): string {
  if ('S' in value) return quotedString(value.S)
  if ('N' in value) return pythonNumber(value.N)
  if ('BOOL' in value) return value.BOOL ? 'True' : 'False'
  if ('NULL' in value) return 'None'
  if ('B' in value) return pythonBinary(value.B)
  if ('L' in value) return `[${value.L.map(pythonValue).join(', ')}]`
  if ('M' in value) {
    const entries = Object.entries(value.M).map(([name, member]) => `${quotedString(name)}: ${pythonValue(member)}`)
    return `{${entries.join(', ')}}`
  }
  const members =
    'SS' in value
      ? value.SS.map(quotedString)
      : 'NS' in value
        ? value.NS.map(pythonNumber)
        : value.BS.map(pythonBinary)
  return `{${members.join(', ')}}`
}

/** Python's integers have any number of digits; boto3 takes other numbers as Decimal alone. */
function pythonNumber(digits: string): string {
  return /^-?\d+$/.test(digits) ? digits : `Decimal(${quotedString(digits)})`
}

function pythonBinary(base64: string): string {
  return `base64.b64decode(${quotedString(base64)})`
}

function braced(open: string, parts: readonly string[], close: string): string {
  const line = `${open}${parts.join(', ')}${close}`
  return line.length <= 60 ? line : `${open}\n${parts.map((part) => `    ${part},`).join('\n')}\n${close}`
}

function indented(lines: readonly string[], space = '    '): string[] {
  return lines.map((line) => space + line)
}
