import type { AttributeValue } from '../api-types.ts'
import type { CodeTarget } from './code-target.ts'
import { membersOf, spreadOf, type ServiceRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'

/** A class for the AWS SDK for Java, version 2. */
export function java(requests: readonly ServiceRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  const { operation } = request
  const spread = spreadOf(requests)
  const builder = builderOf(request, spread?.placeholder)
  const body = bodyOf(request, builder)
  const lines =
    spread === undefined
      ? body
      : [
          '// One request per shard. Items of different shards are not in order: sort them before you show them.',
          `var partitions = ${listOf(spread.values.map(javaValue))};`,
          'for (AttributeValue partition : partitions) {',
          ...body.map((line) => `    ${line}`),
          '}',
        ]
  const text = lines.join('\n')
  const isLocal = target.endpoint !== undefined
  const types = [`${operation}Request`, ...(operation === 'ExecuteStatement' ? ['ExecuteStatementResponse'] : [])]
  const imports = [
    ...(isLocal ? ['java.net.URI'] : []),
    ...(text.includes('List.of(') ? ['java.util.List'] : []),
    'java.util.Map',
    ...(isLocal
      ? [
          'software.amazon.awssdk.auth.credentials.AwsBasicCredentials',
          'software.amazon.awssdk.auth.credentials.StaticCredentialsProvider',
        ]
      : []),
    ...(text.includes('SdkBytes.') ? ['software.amazon.awssdk.core.SdkBytes'] : []),
    'software.amazon.awssdk.regions.Region',
    'software.amazon.awssdk.services.dynamodb.DynamoDbClient',
    'software.amazon.awssdk.services.dynamodb.model.AttributeValue',
    ...types.map((type) => `software.amazon.awssdk.services.dynamodb.model.${type}`),
  ]
  return [
    ...(text.includes('Base64.') ? ['import java.util.Base64;'] : []),
    ...imports.map((name) => `import ${name};`),
    '',
    'public class Example {',
    '    public static void main(String[] args) {',
    ...clientLines(target).map((line) => `        ${line}`),
    ...lines.map((line) => (line === '' ? '' : `            ${line}`)),
    '        }',
    '    }',
    '}',
    '',
  ].join('\n')
}

function clientLines({ region, endpoint, accessKeyId }: CodeTarget): string[] {
  const key = quotedString(accessKeyId ?? 'local')
  return [
    'try (DynamoDbClient client = DynamoDbClient.builder()',
    ...(endpoint === undefined
      ? []
      : [
          `        .endpointOverride(URI.create(${quotedString(endpoint)}))`,
          `        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(${key}, "local")))`,
        ]),
    `        .region(Region.of(${quotedString(region)}))`,
    '        .build()) {',
  ]
}

function bodyOf({ operation, input }: ServiceRequest, builder: readonly string[]): string[] {
  const request = [`${operation}Request request = ${operation}Request.builder()`, ...builder, '        .build();']
  const show = 'System.out.println(item);'
  switch (operation) {
    case 'GetItem':
      return [...request, 'Map<String, AttributeValue> item = client.getItem(request).item();', show]
    case 'Query':
    case 'Scan': {
      const method = operation.toLowerCase()
      const items = `client.${method}${input.Limit === undefined ? 'Paginator' : ''}(request).items()`
      return [...request, `for (Map<String, AttributeValue> item : ${items}) {`, `    ${show}`, '}']
    }
    case 'ExecuteStatement':
      return [
        'String nextToken = null;',
        'do {',
        `    ExecuteStatementRequest request = ExecuteStatementRequest.builder()`,
        ...builder.map((line) => `    ${line}`),
        '            .nextToken(nextToken)',
        '            .build();',
        '    ExecuteStatementResponse response = client.executeStatement(request);',
        '    for (Map<String, AttributeValue> item : response.items()) {',
        `        ${show}`,
        '    }',
        '    nextToken = response.nextToken();',
        '} while (nextToken != null);',
      ]
  }
}

function builderOf({ input }: ServiceRequest, placeholder: string | undefined): string[] {
  return membersOf(input).flatMap(([name, value]) => {
    const method = name.charAt(0).toLowerCase() + name.slice(1)
    return `        .${method}(${memberOf(name, value, placeholder)})`.split('\n')
  })
}

function memberOf(name: string, value: unknown, placeholder: string | undefined): string {
  switch (name) {
    case 'Key':
    case 'ExpressionAttributeValues':
      return mapOf(
        Object.entries(value as Readonly<Record<string, AttributeValue>>).map(([key, member]) => [
          quotedString(key),
          key === placeholder ? 'partition' : javaValue(member),
        ]),
      )
    case 'Parameters':
      return listOf((value as readonly AttributeValue[]).map(javaValue))
    case 'ExpressionAttributeNames':
      return mapOf(
        Object.entries(value as Readonly<Record<string, string>>).map(([key, text]) => [
          quotedString(key),
          quotedString(text),
        ]),
      )
    default:
      return typeof value === 'string' ? quotedString(value) : String(value)
  }
}

function javaValue(value: AttributeValue): string {
  if ('S' in value) return `AttributeValue.fromS(${quotedString(value.S)})`
  if ('N' in value) return `AttributeValue.fromN(${quotedString(value.N)})`
  if ('BOOL' in value) return `AttributeValue.fromBool(${String(value.BOOL)})`
  if ('NULL' in value) return 'AttributeValue.fromNul(true)'
  if ('B' in value) return `AttributeValue.fromB(${javaBytes(value.B)})`
  if ('L' in value) return `AttributeValue.fromL(${listOf(value.L.map(javaValue))})`
  if ('M' in value) {
    const entries = Object.entries(value.M).map(
      ([name, member]) => [quotedString(name), javaValue(member)] as const,
    )
    return `AttributeValue.fromM(${mapOf(entries)})`
  }
  if ('SS' in value) return `AttributeValue.fromSs(${listOf(value.SS.map(quotedString))})`
  if ('NS' in value) return `AttributeValue.fromNs(${listOf(value.NS.map(quotedString))})`
  return `AttributeValue.fromBs(${listOf(value.BS.map(javaBytes))})`
}

function javaBytes(base64: string): string {
  return `SdkBytes.fromByteArray(Base64.getDecoder().decode(${quotedString(base64)}))`
}

/** `Map.of` takes ten entries. */
function mapOf(entries: readonly (readonly [string, string])[]): string {
  if (entries.length > 10) {
    return `Map.ofEntries(\n${entries.map(([key, value]) => `                Map.entry(${key}, ${value})`).join(',\n')})`
  }
  const line = `Map.of(${entries.map(([key, value]) => `${key}, ${value}`).join(', ')})`
  if (line.length <= 80) return line
  return `Map.of(\n${entries.map(([key, value]) => `                ${key}, ${value}`).join(',\n')})`
}

function listOf(elements: readonly string[]): string {
  const line = `List.of(${elements.join(', ')})`
  if (line.length <= 80) return line
  return `List.of(\n${elements.map((element) => `                ${element}`).join(',\n')})`
}
