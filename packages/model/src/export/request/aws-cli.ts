import type { Json } from '../yaml.ts'
import type { ExampleRequest } from './example-request.ts'

/** A request as the command of the AWS CLI that sends it. */
export function awsCli({ operation, input }: ExampleRequest): string {
  const words = Object.entries(input).flatMap(([name, value]) => flag(kebabCase(name), value))
  return ['aws', 'dynamodb', kebabCase(operation), ...words].join(' ')
}

function flag(name: string, value: Json): readonly string[] {
  if (value === undefined) return []
  if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
  return [`--${name}`, shellWord(typeof value === 'string' ? value : JSON.stringify(value))]
}

function shellWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function kebabCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}
