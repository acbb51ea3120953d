import { spawn, type ChildProcess } from 'node:child_process'
import { hashrangeMain } from './hashrange-main.ts'

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A `hashrange start` of its own process, from the moment it is spawned: it can be killed before it is ready. */
export class HashrangeProcess {
  readonly ended: Promise<Ending>
  readonly #child: ChildProcess
  readonly #ready: Promise<number>
  #printed = ''
  #ending: Ending | undefined

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#ready = new Promise((resolve) => {
      const note = (chunk: Buffer): void => {
        if (this.#printed.length < mostPrinted) this.#printed += chunk.toString()
        const port = /https?:\/\/[\d.]+:(\d+)/.exec(this.#printed)?.[1]
        if (port !== undefined) resolve(Number(port))
      }
      child.stdout?.on('data', note)
      child.stderr?.on('data', note)
    })
    this.ended = new Promise((settle) => {
      child.once('close', (code, signal) => {
        running.delete(child)
        this.#ending = { code, signal }
        settle(this.#ending)
      })
    })
  }

  /** `nodeFlags` are for the process, `flags` for the command, `settings` for its environment. */
  static start(
    flags: readonly string[],
    nodeFlags: readonly string[] = [],
    settings: Readonly<Record<string, string>> = {},
  ): HashrangeProcess {
    const child = spawn(process.execPath, [...nodeFlags, hashrangeMain, 'start', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...settings },
    })
    running.add(child)
    return new HashrangeProcess(child)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get printed(): string {
    return this.#printed
  }

  get hasEnded(): boolean {
    return this.#ending !== undefined
  }

  /** The port it serves at, once it does; rejects if it ends before that. */
  async ready(): Promise<number> {
    const first = await Promise.race([this.#ready, this.ended])
    if (typeof first === 'number') return first
    throw new Error(`hashrange start ended with ${first.code ?? first.signal}. It printed: ${this.#printed.trim()}`)
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.#child.kill(signal)
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.ended
  }

  async stop(): Promise<Ending> {
    this.signal('SIGTERM')
    return this.ended
  }
}

const mostPrinted = 100_000

/** Whoever fails must not leave its servers behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
