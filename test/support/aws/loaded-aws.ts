import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** To start the AWS CLI costs ten times as much as to run a command, and tests run some two hundred. Where it is a package of
 *  Python (on Linux), it is loaded once for a test file: the folder that is answered has an `aws` that runs each command in
 *  a fork of that process. Elsewhere there is no such folder, and `aws` is started each time.
 *
 *  `version` is what the command says of itself. */
export function loadAws(version: string, env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform !== 'linux') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-aws-'))
  copyFileSync(beside('aws'), join(folder, 'aws'))
  const words = [beside('loaded-aws.py'), folder, String(process.pid), version]
  const { status } = spawnSync('python3', words, { env, stdio: 'ignore', timeout: 60_000 })
  if (status === 0) return folder
  rmSync(folder, { recursive: true, force: true })
  return undefined
}

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
