import type { AttributeValue } from '../api-types.ts'
import { localKeyOf, type CodeTarget } from './code-target.ts'
import { aligned, goValue, literal } from './go-values.ts'
import { goWrite } from './go-writes.ts'
import { isWrite, membersOf, spreadOf, type CodeRequest, type ServiceRequest } from './service-request.ts'
import { quotedString } from './string-literal.ts'

/** A program for the AWS SDK for Go, version 2, as gofmt writes it. */
export function go(requests: readonly CodeRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  const lines = isWrite(request) ? goWrite(request) : readLines(request, spreadOf(requests))
  const text = lines.join('\n')
  const imports = [
    'context',
    ...(text.includes('base64.') ? ['encoding/base64'] : []),
    ...(text.includes('fmt.Println(') ? ['fmt'] : []),
    'log',
    '',
    ...(/\baws\.(?:String|Int32|Bool)\(/.test(text) || target.endpoint !== undefined
      ? ['github.com/aws/aws-sdk-go-v2/aws']
      : []),
    'github.com/aws/aws-sdk-go-v2/config',
    ...(localKeyOf(target) === undefined ? [] : ['github.com/aws/aws-sdk-go-v2/credentials']),
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

function readLines(request: ServiceRequest, spread: ReturnType<typeof spreadOf>): string[] {
  const body = bodyOf(request, spread?.placeholder)
  if (spread === undefined) return body
  return [
    '// One request per shard. Items of different shards are not in order: sort them before you show them.',
    'partitions := []types.AttributeValue{',
    ...spread.values.map((value) => `\t${goValue(value)},`),
    '}',
    'for _, partition := range partitions {',
    ...body.map((line) => `\t${line}`),
    '}',
  ]
}

function clientLines(target: CodeTarget): string[] {
  const { region, endpoint } = target
  const key = localKeyOf(target)
  const fail = ['if err != nil {', '\tlog.Fatal(err)', '}']
  if (endpoint === undefined) {
    return [
      'ctx := context.Background()',
      `cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion(${quotedString(region)}))`,
      ...fail,
      'client := dynamodb.NewFromConfig(cfg)',
    ]
  }
  return [
    'ctx := context.Background()',
    'cfg, err := config.LoadDefaultConfig(ctx,',
    `\tconfig.WithRegion(${quotedString(region)}),`,
    ...(key === undefined
      ? []
      : [
          `\tconfig.WithCredentialsProvider(credentials.NewStaticCredentialsProvider(${quotedString(key)}, "local", "")),`,
        ]),
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

function memberLines({ input }: ServiceRequest, placeholder: string | undefined): string[] {
  const members = membersOf(input).map(([name, value]) => ({ name, text: memberOf(name, value, placeholder) }))
  return aligned(members)
    .flatMap((line) => line.split('\n'))
    .map((line) => `\t${line}`)
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
