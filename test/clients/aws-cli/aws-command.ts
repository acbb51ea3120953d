import { aws, run } from '../../support/programs.ts'

/** The command line as a person uses it, with its answers as JSON. */
export interface AwsCommand {
  /** Runs `aws dynamodb <args>`; an object among the arguments is passed as JSON. Fails with what the command printed. */
  (...args: readonly (string | object)[]): Promise<Answer>
}

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

export function awsCommand(endpoint: () => string): AwsCommand {
  return async (...args) => {
    const texts = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))
    const fixed = ['--endpoint-url', endpoint(), '--output', 'json']
    const { code, stdout, stderr } = await run(aws, ['dynamodb', ...texts, ...fixed])
    if (code !== 0) throw new AwsCommandError(code, stdout + stderr)
    return stdout === '' ? {} : (JSON.parse(stdout) as Answer)
  }
}
