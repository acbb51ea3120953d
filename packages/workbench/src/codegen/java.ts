import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { javaValue, listOf, mapOf } from './java-values.ts'
import { javaWrite, structTypes } from './java-writes.ts'
import { isWrite, membersOf, spreadOf, type CodeRequest, type ServiceRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'

/** A class for the AWS SDK for Java, version 2. */
export function java(requests: readonly CodeRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  const { operation } = request
  const lines = isWrite(request) ? javaWrite(request) : readLines(request, spreadOf(requests))
  const text = lines.join('\n')
  const isLocal = localKeyOf(target) !== undefined
  const types = [
    ...(text.includes('AttributeValue') ? ['AttributeValue'] : []),
    ...structTypes(text),
    `${operation}Request`,
    ...(text.includes(`${operation}Response `) ? [`${operation}Response`] : []),
  ]
  const imports = [
    ...(target.endpoint === undefined ? [] : ['java.net.URI']),
    ...(text.includes('List.of(') ? ['java.util.List'] : []),
    ...(/\bMap[.<]/.test(text) ? ['java.util.Map'] : []),
    ...(isLocal
      ? [
          'software.amazon.awssdk.auth.credentials.AwsBasicCredentials',
          'software.amazon.awssdk.auth.credentials.StaticCredentialsProvider',
        ]
      : []),
    ...(text.includes('SdkBytes.') ? ['software.amazon.awssdk.core.SdkBytes'] : []),
    'software.amazon.awssdk.regions.Region',
    'software.amazon.awssdk.services.dynamodb.DynamoDbClient',
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

function readLines(request: ServiceRequest, spread: ReturnType<typeof spreadOf>): string[] {
  const body = bodyOf(request, builderOf(request, spread?.placeholder))
  if (spread === undefined) return body
  return [
    '// One request per shard. Items of different shards are not in order: sort them before you show them.',
    `var partitions = ${listOf(spread.values.map(javaValue))};`,
    'for (AttributeValue partition : partitions) {',
    ...body.map((line) => `    ${line}`),
    '}',
  ]
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  return [
    'try (DynamoDbClient client = DynamoDbClient.builder()',
    ...(endpoint === undefined ? [] : [`        .endpointOverride(URI.create(${quotedString(endpoint)}))`]),
    ...(key === undefined
      ? []
      : [
          `        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(${quotedString(key)}, "local")))`,
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
