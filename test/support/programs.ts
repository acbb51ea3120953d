import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { delimiter } from 'node:path'
import { loadAws } from './aws/loaded-aws.ts'
import type { Requirement } from './requirement.ts'

/** Programs that npm cannot bring. A machine may lack them, or have them broken or too old: what is asked of them here they
 *  can do since January 2025, and the tests use nothing newer. */
export const needsBoto3 = programThat(
  'python3',
  [
    '-c',
    `import boto3; print(boto3.client("dynamodb").meta.service_model.shape_for("PointInTimeRecoverySpecification").members)`,
  ],
  'python3 has no boto3, or one that is older than 1.36. Run "pip install --upgrade boto3" in the Python that is first on the PATH.',
  'RecoveryPeriodInDays',
)

export const needsAwsCli: Requirement = {
  get met() {
    hasAwsCli ??= findAwsCli()
    return hasAwsCli
  },
  reason:
    'aws does not run, or is older than 1.37 or 2.23. Install the AWS CLI, such as with "pip install --upgrade awscli", and put it first on the PATH.',
}

let hasAwsCli: boolean | undefined

/** Where `aws` is quicker than the one on the PATH. */
let awsFolder: string | undefined

function findAwsCli(): boolean {
  const words = ['dynamodb', 'update-continuous-backups', '--generate-cli-skeleton', '--debug']
  const { status, stdout, stderr } = ask('aws', words)
  if (status !== 0 || !stdout.includes('RecoveryPeriodInDays')) return false
  const [version] = /CLI version: .*/.exec(stderr) ?? ['']
  awsFolder = loadAws(version, clientEnvironment())
  return true
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program that talks to the database, with credentials that work nowhere else and no way to ask for others. */
export function run(
  program: string,
  args: readonly string[],
  input = '',
  cwd: string = process.cwd(),
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: clientEnvironment(), cwd })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    // A program that ends early closes its input; its exit code tells the story.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** A program that answers with `part` of a text. Asked when a suite needs it, and as it will be run. */
export function programThat(program: string, words: readonly string[], reason: string, part = ''): Requirement {
  let met: boolean | undefined
  return {
    get met() {
      met ??= answers(program, words, part)
      return met
    },
    reason,
  }
}

function answers(program: string, words: readonly string[], part: string): boolean {
  const { status, stdout } = ask(program, words)
  return status === 0 && stdout.includes(part)
}

function ask(program: string, words: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(program, words, {
    env: clientEnvironment(),
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function clientEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: [awsFolder, process.env['PATH']].filter((folder) => folder !== undefined).join(delimiter),
    // What is kept there would stay behind. Nothing can be.
    HOME: '/dev/null',
    LANG: 'C.UTF-8',
    PYTHONIOENCODING: 'utf-8',
    PYTHONDONTWRITEBYTECODE: '1',
    // Libraries announce the versions of Python that they will leave behind.
    PYTHONWARNINGS: 'ignore',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_PAGER: '',
    AWS_CLI_AUTO_PROMPT: 'off',
    NO_PROXY: '127.0.0.1',
  }
}
