import { run } from '../../support/programs.ts'

/** The command line as a person uses it, with its answers as JSON: `aws dynamodb <command> --<option> <value> …`.
 *  Fails with what the command printed. */
export type AwsCommand = (command: string, options?: Readonly<Record<string, Option>>) => Promise<Answer>

/** Text is passed as it is, `true` is an option without a value, and anything else is passed as JSON. */
export type Option = string | true | object

/** What the command printed. The tests say what they expect of it. */
export type Answer = Record<string, unknown>

/** How the command failed, in its own words. */
export class AwsCommandError extends Error {
  override readonly name = 'AwsCommandError'
  readonly code: number | null

  constructor(code: number | null, output: string) {
    super(output)
    this.code = code
  }
}

export function awsCommand(endpoint: () => string, service = 'dynamodb'): AwsCommand {
  return async (command, options = {}) => {
    const all = { ...options, 'endpoint-url': endpoint(), output: 'json' }
    const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, ...textOf(value)])
    const { code, stdout, stderr } = await run('aws', [service, ...command.split(' '), ...args])
    if (code !== 0) throw new AwsCommandError(code, stdout + stderr)
    return stdout === '' ? {} : (JSON.parse(stdout) as Answer)
  }
}

function textOf(value: Option): string[] {
  if (value === true) return []
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}
