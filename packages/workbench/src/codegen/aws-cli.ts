import type { AttributeValue } from '../api-types.ts'
import type { CodeTarget } from './code-target.ts'
import { kebabCase } from './name-cases.ts'
import { membersOf, spreadOf, type CodeRequest } from './service-request.ts'
import { shellWord } from './string-literal.ts'

/** A command of the AWS CLI, for a shell of Unix. */
export function awsCli(requests: readonly CodeRequest[], target: CodeTarget): string {
  const [request] = requests
  if (request === undefined) return ''
  const { operation, input } = request
  const spread = spreadOf(requests)
  const flags = membersOf(input).map(([name, value]) => {
    if (typeof value === 'boolean') return value ? `--${kebabCase(name)}` : `--no-${kebabCase(name)}`
    if (spread !== undefined && name === 'ExpressionAttributeValues') {
      return `--${kebabCase(name)} ${spreadValues(value as Readonly<Record<string, AttributeValue>>, spread.placeholder)}`
    }
    return `--${kebabCase(name)} ${shellWord(typeof value === 'string' ? value : JSON.stringify(value))}`
  })
  const { region, endpoint, accessKeyId, credentials: ofWhom } = target
  flags.push(`--region ${shellWord(region)}`)
  if (endpoint !== undefined) flags.push(`--endpoint-url ${shellWord(endpoint)}`)
  const credentials =
    endpoint === undefined || ofWhom === 'environment'
      ? ''
      : `AWS_ACCESS_KEY_ID=${shellWord(accessKeyId ?? 'local')} AWS_SECRET_ACCESS_KEY=local \\\n`
  const command = `${credentials}aws dynamodb ${kebabCase(operation)} \\\n  ${flags.join(' \\\n  ')}`
  const note = JSON.stringify(input).includes('"B":')
    ? '# Version 2 of the AWS CLI takes binary values as base64, as shown here; version 1 takes raw bytes.\n'
    : ''
  if (spread === undefined) return `${note}${command}\n`
  const words = spread.values.map((value) => shellWord(jsonContent(value)))
  return [
    `${note}# One request per shard.`,
    `for partition in ${words.join(' ')}; do`,
    `  ${command.replaceAll('\n', '\n  ')}`,
    'done',
    '',
  ].join('\n')
}

/** The values as JSON in which the shell puts its variable. */
function spreadValues(values: Readonly<Record<string, AttributeValue>>, placeholder: string): string {
  const [before = '', after = ''] = JSON.stringify({ ...values, [placeholder]: '\0' }).split(String.raw`"\u0000"`)
  const [type] = Object.keys(values[placeholder] ?? { S: '' })
  return `${quoted(`${before}{"${type}":"`)}"$partition"${quoted(`"}${after}`)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** What stands between the quotes of the value's JSON. */
function jsonContent(value: AttributeValue): string {
  const [content] = Object.values(value) as [unknown]
  return JSON.stringify(String(content)).slice(1, -1)
}
