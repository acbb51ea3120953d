import { ServiceError } from '@hashrange/core'
import { failed, type Invocation, type Invoked, type Runner } from './runner.ts'
import { Sandbox, type SandboxSettings } from './sandbox.ts'

export interface ProcessRunnerSettings {
  /** Called for each new process: credentials in the environment may be new each time. */
  readonly sandbox: () => Promise<SandboxSettings>
  /** How many processes there may be at a time. */
  readonly concurrency: number
  /** Changes when the function's files do. */
  readonly version?: () => Promise<string>
}

const mostWaiting = 1_000
const idleMs = 5 * 60_000
const versionCheckMs = 250
/** The credentials of a process are good for an hour. */
const oldestMs = 45 * 60_000

/** Runs a function in processes of its own: as many as have something to do, kept for the next call. If the function's
 *  files change, the next call gets a new process. */
export class ProcessRunner implements Runner {
  readonly #settings: ProcessRunnerSettings
  readonly #idle: { readonly sandbox: Sandbox; readonly timer: NodeJS.Timeout }[] = []
  /** Those that have a call, and the version of the files that they were started with. */
  readonly #busy = new Map<Sandbox, string | undefined>()
  #calls = 0
  readonly #waiting: (() => void)[] = []
  #version: string | undefined
  #versionAtMs = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(settings: ProcessRunnerSettings) {
    this.#settings = settings
  }

  async invoke(invocation: Invocation): Promise<Invoked> {
    await this.#turn()
    if (this.#isClosed) return failed('Runtime.ExitError', 'The function was stopped.')
    this.#calls++
    let sandbox: Sandbox | undefined
    try {
      await this.#checkVersion()
      const kept = this.#idle.pop()
      clearTimeout(kept?.timer)
      sandbox = kept?.sandbox.isOver === false ? kept.sandbox : new Sandbox(await this.#settings.sandbox())
      this.#busy.set(sandbox, this.#version)
      return await sandbox.invoke(invocation)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      return failed('Runtime.InvalidEntrypoint', error instanceof Error ? error.message : String(error))
    } finally {
      this.#calls--
      if (sandbox !== undefined) this.#keep(sandbox)
      this.#waiting.shift()?.()
    }
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#retire()
    for (const sandbox of this.#busy.keys()) sandbox.kill()
    for (const go of this.#waiting.splice(0)) go()
    return Promise.resolve()
  }

  async #turn(): Promise<void> {
    while (this.#calls >= this.#settings.concurrency && !this.#isClosed) {
      if (this.#waiting.length >= mostWaiting)
        throw new ServiceError('TooManyRequestsException', 'Rate Exceeded.', {
          Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
        })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #keep(sandbox: Sandbox): void {
    const version = this.#busy.get(sandbox)
    this.#busy.delete(sandbox)
    if (sandbox.isOver) return
    const isOld = performance.now() - sandbox.bornAtMs > oldestMs
    if (this.#isClosed || isOld || version !== this.#version) return sandbox.kill()
    const timer = setTimeout(() => {
      this.#idle.splice(0, this.#idle.length, ...this.#idle.filter((kept) => kept.sandbox !== sandbox))
      sandbox.kill()
    }, idleMs).unref()
    this.#idle.push({ sandbox, timer })
  }

  #retire(): void {
    for (const { sandbox, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      sandbox.kill()
    }
  }

  async #checkVersion(): Promise<void> {
    const { version } = this.#settings
    if (version === undefined || performance.now() - this.#versionAtMs < versionCheckMs) return
    const now = await version()
    if (this.#version !== undefined && this.#version !== now) this.#retire()
    this.#version = now
    this.#versionAtMs = performance.now()
  }
}
