import { spawn } from 'node:child_process'
import { hashrangeMain } from './hashrange-main.ts'

/** Runs `hashrange verify`. Answers what it printed if something is wrong. */
export function verifyStore(flags: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [hashrangeMain, 'verify', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    const note = (chunk: Buffer): void => {
      if (printed.length < mostPrinted) printed += chunk.toString()
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `${code ?? signal}: ${printed.trim()}`))
  })
}

const mostPrinted = 10_000
