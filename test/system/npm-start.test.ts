import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const parent = mkdtempSync(join(tmpdir(), 'hashrange-npm-'))
let count = 0

afterAll(() => rmSync(parent, { recursive: true, force: true }))

const endings: Record<string, (npm: number) => void> = {
  'npm gets SIGTERM': (npm) => process.kill(npm, 'SIGTERM'),
  'npm gets SIGINT': (npm) => process.kill(npm, 'SIGINT'),
  // npm passes neither of these on.
  'npm gets SIGHUP': (npm) => process.kill(npm, 'SIGHUP'),
  'npm is killed': (npm) => process.kill(npm, 'SIGKILL'),
  // As a terminal does it: everything in the foreground gets the signal, and npm passes it on once more.
  'Ctrl+C is pressed': (npm) => process.kill(-npm, 'SIGINT'),
  'the terminal is closed': (npm) => process.kill(-npm, 'SIGHUP'),
}

test.for(Object.entries(endings))('no server is left behind when %s', { timeout: 120_000 }, async ([, end]) => {
  const path = join(parent, String(count++))
  const npm = spawn('npm', ['start', '--', '--port', '0', '--path', path], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await printed(npm, 'http://')
    const server = Number.parseInt(lockOf(path), 10)
    expect(isRunning(server)).toBe(true)
    const gone = once(npm, 'exit')
    end(npm.pid ?? 0)
    await gone
    await expect.poll(() => isRunning(server)).toBe(false)
    // A server that closes in order releases its folder; one that is killed leaves its process id in there.
    expect(lockOf(path)).toBe('')
  } finally {
    endGroup(npm)
  }
})

function lockOf(path: string): string {
  return readFileSync(join(path, 'lock'), 'utf8')
}

function printed(child: ChildProcess, text: string): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(text)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}; it printed: ${output}`)))
  })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A test that fails must not leave anything behind either. */
function endGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  } catch {
    // It is gone.
  }
}
