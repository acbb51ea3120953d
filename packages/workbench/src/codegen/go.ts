import type { AttributeValue } from '../api-types.ts'
import type { CodeTarget } from './code-target.ts'
import { membersOf, spreadOf, type ServiceRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'

/** A program for the AWS SDK for Go, version 2, as gofmt writes it. */
export function go(requests: readonly ServiceRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  const spread = spreadOf(requests)
  const body = bodyOf(request, spread?.placeholder)
  const lines =
    spread === undefined
      ? body
      : [
          '// One request per shard. Items of different shards are not in order: sort them before you show them.',
          'partitions := []types.AttributeValue{',
          ...spread.values.map((value) => `\t${goValue(value)},`),
          '}',
          'for _, partition := range partitions {',
          ...body.map((line) => `\t${line}`),
          '}',
        ]
  const text = lines.join('\n')
  const imports = [
    'context',
    ...(text.includes('base64.') ? ['encoding/base64'] : []),
    'fmt',
    'log',
    '',
    'github.com/aws/aws-sdk-go-v2/aws',
    'github.com/aws/aws-sdk-go-v2/config',
    ...(target.endpoint === undefined ? [] : ['github.com/aws/aws-sdk-go-v2/credentials']),
    'github.com/aws/aws-sdk-go-v2/service/dynamodb',
    ...(text.includes('types.') ? ['github.com/aws/aws-sdk-go-v2/service/dynamodb/types'] : []),
  ]
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => (name === '' ? '' : `\t"${name}"`)),
    ')',
    '',
    'func main() {',
    ...[...clientLines(target), '', ...lines].map((line) => (line === '' ? '' : `\t${line}`)),
    '}',
    ...(text.includes('binary(') ? ['', ...binaryFunction] : []),
    '',
  ].join('\n')
}

const binaryFunction = [
  'func binary(text string) []byte {',
  '\tbytes, err := base64.StdEncoding.DecodeString(text)',
  '\tif err != nil {',
  '\t\tlog.Fatal(err)',
  '\t}',
  '\treturn bytes',
  '}',
]

function clientLines({ region, endpoint, accessKeyId }: CodeTarget): string[] {
  const fail = ['if err != nil {', '\tlog.Fatal(err)', '}']
  if (endpoint === undefined) {
    return [
      'ctx := context.Background()',
      `cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion(${quotedString(region)}))`,
      ...fail,
      'client := dynamodb.NewFromConfig(cfg)',
    ]
  }
  const key = quotedString(accessKeyId ?? 'local')
  return [
    'ctx := context.Background()',
    'cfg, err := config.LoadDefaultConfig(ctx,',
    `\tconfig.WithRegion(${quotedString(region)}),`,
    `\tconfig.WithCredentialsProvider(credentials.NewStaticCredentialsProvider(${key}, "local", "")),`,
    ')',
    ...fail,
    'client := dynamodb.NewFromConfig(cfg, func(options *dynamodb.Options) {',
    `\toptions.BaseEndpoint = aws.String(${quotedString(endpoint)})`,
    '})',
  ]
}

function bodyOf(request: ServiceRequest, placeholder: string | undefined): string[] {
  const { operation, input } = request
  const inputLines = [`input := &dynamodb.${operation}Input{`, ...memberLines(request, placeholder), '}']
  const fail = ['if err != nil {', '\tlog.Fatal(err)', '}']
  const each = (items: string): string[] => [`for _, item := range ${items} {`, '\tfmt.Println(item)', '}']
  if (operation === 'GetItem') {
    return [...inputLines, 'output, err := client.GetItem(ctx, input)', ...fail, 'fmt.Println(output.Item)']
  }
  if (operation === 'ExecuteStatement') {
    return [
      ...inputLines,
      'for {',
      ...['output, err := client.ExecuteStatement(ctx, input)', ...fail, ...each('output.Items')].map(
        (line) => `\t${line}`,
      ),
      '\tif output.NextToken == nil {',
      '\t\tbreak',
      '\t}',
      '\tinput.NextToken = output.NextToken',
      '}',
    ]
  }
  if (input.Limit !== undefined) {
    return [...inputLines, `output, err := client.${operation}(ctx, input)`, ...fail, ...each('output.Items')]
  }
  return [
    ...inputLines,
    `paginator := dynamodb.New${operation}Paginator(client, input)`,
    'for paginator.HasMorePages() {',
    ...['page, err := paginator.NextPage(ctx)', ...fail, ...each('page.Items')].map((line) => `\t${line}`),
    '}',
  ]
}

/** Values that stand in one line are in a column, as gofmt has them. */
function memberLines({ input }: ServiceRequest, placeholder: string | undefined): string[] {
  const members = membersOf(input).map(([name, value]) => ({ name, text: memberOf(name, value, placeholder) }))
  return aligned(members)
    .flatMap((line) => line.split('\n'))
    .map((line) => `\t${line}`)
}

function aligned(members: readonly { readonly name: string; readonly text: string }[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < members.length;) {
    // A column ends where a value takes several lines.
    let end = at
    while (end < members.length && !(members[end]?.text.includes('\n') ?? true)) end++
    const column = members.slice(at, end)
    const widest = Math.max(0, ...column.map(({ name }) => name.length))
    for (const { name, text } of column) lines.push(`${name}:${' '.repeat(widest - name.length + 1)}${text},`)
    const long = members[end]
    if (long !== undefined) lines.push(`${long.name}: ${long.text},`)
    at = end + 1
  }
  return lines
}

function memberOf(name: string, value: unknown, placeholder: string | undefined): string {
  switch (name) {
    case 'Key':
    case 'ExpressionAttributeValues': {
      const entries = Object.entries(value as Readonly<Record<string, AttributeValue>>)
      return literal(
        'map[string]types.AttributeValue',
        aligned(
          entries.map(([key, member]) => ({
            name: quotedString(key),
            text: key === placeholder ? 'partition' : goValue(member),
          })),
        ),
      )
    }
    case 'Parameters':
      return literal(
        '[]types.AttributeValue',
        (value as readonly AttributeValue[]).map((member) => `${goValue(member)},`),
      )
    case 'ExpressionAttributeNames': {
      const entries = Object.entries(value as Readonly<Record<string, string>>)
      return literal(
        'map[string]string',
        aligned(entries.map(([key, text]) => ({ name: quotedString(key), text: quotedString(text) }))),
      )
    }
    case 'Limit':
      return `aws.Int32(${String(value)})`
    default:
      return typeof value === 'string' ? `aws.String(${quotedString(value)})` : `aws.Bool(${String(value)})`
  }
}

function goValue(value: AttributeValue): string {
  const member = (type: string, text: string): string => `&types.AttributeValueMember${type}{Value: ${text}}`
  if ('S' in value) return member('S', quotedString(value.S))
  if ('N' in value) return member('N', quotedString(value.N))
  if ('BOOL' in value) return member('BOOL', String(value.BOOL))
  if ('NULL' in value) return member('NULL', 'true')
  if ('B' in value) return member('B', `binary(${quotedString(value.B)})`)
  if ('SS' in value) return member('SS', `[]string{${value.SS.map(quotedString).join(', ')}}`)
  if ('NS' in value) return member('NS', `[]string{${value.NS.map(quotedString).join(', ')}}`)
  if ('BS' in value) {
    return member('BS', `[][]byte{${value.BS.map((bytes) => `binary(${quotedString(bytes)})`).join(', ')}}`)
  }
  if ('L' in value) return member('L', `[]types.AttributeValue{${value.L.map(goValue).join(', ')}}`)
  const entries = Object.entries(value.M).map(([name, each]) => `${quotedString(name)}: ${goValue(each)}`)
  return member('M', `map[string]types.AttributeValue{${entries.join(', ')}}`)
}

function literal(type: string, lines: readonly string[]): string {
  return lines.length === 0
    ? `${type}{}`
    : `${type}{\n${lines.map((line) => `\t${line.replaceAll('\n', '\n\t')}`).join('\n')}\n}`
}
