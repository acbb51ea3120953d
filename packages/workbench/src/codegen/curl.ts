import type { CodeTarget } from './code-target.ts'
import { membersOf, spreadOf, type CodeRequest } from './service-request.ts'
import { shellWord } from './string-literal.ts'

/** A command of curl, which signs requests since version 7.75. */
export function curl(requests: readonly CodeRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  const spread = spreadOf(requests)
  const command = (data: string): string => {
    const { operation } = request
    const { region, endpoint = `https://dynamodb.${target.region}.amazonaws.com`, accessKeyId } = target
    const isLocal = target.endpoint !== undefined && target.credentials !== 'environment'
    return [
      `curl ${shellWord(`${endpoint}/`)}`,
      `--aws-sigv4 ${shellWord(`aws:amz:${region}:dynamodb`)}`,
      isLocal
        ? `--user ${shellWord(`${accessKeyId ?? 'local'}:local`)}`
        : '--user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY"',
      ...(isLocal ? [] : ['--header "X-Amz-Security-Token: $AWS_SESSION_TOKEN"']),
      "--header 'Content-Type: application/x-amz-json-1.0'",
      `--header 'X-Amz-Target: DynamoDB_20120810.${operation}'`,
      `--data ${data}`,
    ].join(' \\\n  ')
  }
  const input = Object.fromEntries(membersOf(request.input))
  const notes = isPaged(request)
    ? ['# This is one page. If it has a LastEvaluatedKey, ask again with it as ExclusiveStartKey.']
    : []
  if (spread === undefined) return [...notes, command(shellWord(JSON.stringify(input))), ''].join('\n')
  const values = request.input.ExpressionAttributeValues ?? {}
  const [before = '', after = ''] = JSON.stringify({
    ...input,
    ExpressionAttributeValues: { ...values, [spread.placeholder]: '\0' },
  }).split(String.raw`"\u0000"`)
  return [
    ...notes,
    '# One request per shard.',
    `for partition in ${spread.values.map((value) => shellWord(JSON.stringify(value))).join(' ')}; do`,
    `  ${command(`${quoted(before)}"$partition"${quoted(after)}`).replaceAll('\n', '\n  ')}`,
    'done',
    '',
  ].join('\n')
}

function isPaged({ operation }: CodeRequest): boolean {
  return operation === 'Query' || operation === 'Scan'
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
