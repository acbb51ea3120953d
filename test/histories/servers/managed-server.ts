import { HashrangeProcess } from '../../support/hashrange-process.ts'
import { CutProxy } from '../faults/cut-proxy.ts'

/** A server behind a proxy: clients find it at one port, whatever becomes of the process. */
export class ManagedServer {
  readonly #flags: readonly string[]
  readonly proxy: CutProxy
  #process: HashrangeProcess | undefined
  #port = 0

  private constructor(flags: readonly string[], proxy: CutProxy) {
    this.#flags = flags
    this.proxy = proxy
  }

  static async start(flags: readonly string[]): Promise<ManagedServer> {
    const proxy = await CutProxy.open(() => server.#port)
    const server: ManagedServer = new ManagedServer(flags, proxy)
    await server.start()
    return server
  }

  async start(): Promise<void> {
    this.#process = HashrangeProcess.start(['--no-workbench', '--port', '0', ...this.#flags])
    this.#port = await this.#process.ready()
    await this.proxy.accept()
  }

  /** As a crash does, or as an operator does. Whoever asks for it then knows that it is not there. */
  async end(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#process?.signal(signal)
    await this.#process?.ended
    this.proxy.refuse()
    this.proxy.cut()
  }

  /** Starts it, and kills it before clients can find it. */
  async killInStart(afterMs: number): Promise<void> {
    const started = HashrangeProcess.start(['--no-workbench', '--port', '0', ...this.#flags])
    const timer = setTimeout(() => started.signal('SIGKILL'), afterMs)
    const { code } = await started.ended
    clearTimeout(timer)
    // Nothing but the signal should have ended it.
    if (code !== null) throw new Error(`it does not start any more. It printed: ${started.printed}`)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.signal(signal)
  }

  /** Why it is gone, if nobody ended it. */
  get unexpectedEnd(): string | undefined {
    return this.#process?.hasEnded === true ? this.#process.printed : undefined
  }

  async close(): Promise<void> {
    this.proxy.close()
    this.signal('SIGCONT')
    await this.#process?.kill()
  }
}
