import { spawn, spawnSync } from 'node:child_process'
import type { Requirement } from './requirement.ts'

/** The Python that has boto3. */
export const python = process.env['HASHRANGE_PYTHON'] ?? 'python3'
/** The AWS command line. */
export const aws = process.env['HASHRANGE_AWS'] ?? 'aws'

export const needsBoto3: Requirement = {
  met: succeeds(python, ['-c', 'import boto3']),
  reason: `${python} cannot import boto3. Run "pip install boto3", or name a Python that has it in HASHRANGE_PYTHON.`,
}

export const needsAwsCli: Requirement = {
  met: succeeds(aws, ['--version']),
  reason: `${aws} is not installed. Run "pip install awscli", or name the program in HASHRANGE_AWS.`,
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

function succeeds(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

function clientEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    LANG: 'C.UTF-8',
    PYTHONIOENCODING: 'utf-8',
    PYTHONDONTWRITEBYTECODE: '1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    AWS_PAGER: '',
    AWS_CLI_AUTO_PROMPT: 'off',
    NO_PROXY: '127.0.0.1',
  }
}
