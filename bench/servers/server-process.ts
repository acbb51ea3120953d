import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../load/call.ts'

const startLimitMs = 20_000
const stopLimitMs = 10_000
const keptOutputCharacters = 2_000

/** A server in a process of its own, started as its user would start it. */
export class ServerProcess {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** From spawning the process to its first answer. */
  readonly firstAnswerMs: number
  readonly #child: ChildProcess

  private constructor(name: string, port: number, child: ChildProcess, firstAnswerMs: number) {
    this.name = name
    this.port = port
    this.pid = child.pid ?? 0
    this.firstAnswerMs = firstAnswerMs
    this.#child = child
  }

  /** `onSpawn` is told of the process before it is ready, so that an interrupt can end it. */
  static async start(
    name: string,
    argumentsFor: (port: number) => readonly string[],
    onSpawn: (kill: () => void) => void,
    givenPort?: number,
  ): Promise<ServerProcess> {
    const port = givenPort ?? (await freePort())
    const startedAtMs = performance.now()
    const child = spawn(process.execPath, argumentsFor(port), { stdio: ['ignore', 'pipe', 'pipe'] })
    onSpawn(() => child.kill('SIGKILL'))
    let output = ''
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-keptOutputCharacters)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(
          `${name} ended before it answered (${child.signalCode ?? `code ${child.exitCode}`}). It said:\n${output}`,
        )
      }
      if (await answers(port)) return new ServerProcess(name, port, child, performance.now() - startedAtMs)
      if (performance.now() - startedAtMs > startLimitMs) {
        child.kill('SIGKILL')
        throw new Error(`${name} did not answer within ${startLimitMs / 1_000} s. It said:\n${output}`)
      }
      await sleep(2)
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const tooLong = setTimeout(() => this.#child.kill('SIGKILL'), stopLimitMs)
    await ended
    clearTimeout(tooLong)
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await call(port, 'ListTables', '{}')
    return true
  } catch {
    return false
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
