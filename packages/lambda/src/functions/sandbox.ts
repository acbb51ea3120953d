import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { LogLines, type Print } from './log-lines.ts'
import { failed, type Invocation, type Invoked } from './runner.ts'
import { RuntimeApi, type RuntimeAnswer } from './runtime-api.ts'

/** A process that runs one function, and what limits it. */
export interface SandboxSettings {
  readonly command: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly memoryBytes: number
  /** Called with every line that the function prints. */
  readonly print: Print
}

/** How long a process may take to ask for its first call. */
const startMs = 30_000
/** What the language's own runtime may use besides what the function was given. */
const runtimeBytes = 128 * 1024 * 1024
const memoryCheckMs = 250

/** One process of a function. It has one call at a time; when a call takes too long or too much memory, it is killed. */
export class Sandbox {
  readonly bornAtMs = performance.now()
  readonly #settings: SandboxSettings
  readonly #api: RuntimeApi
  readonly #log: LogLines
  #process: ChildProcess | undefined
  #current: { readonly invocation: Invocation; readonly startedAtMs: number } | undefined
  #settle: ((invoked: Invoked) => void) | undefined
  #onReady: (() => void) | undefined
  #deadline: NodeJS.Timeout | undefined
  #memoryCheck: NodeJS.Timeout | undefined
  #reason: Invoked | undefined
  #isOver = false
  readonly #ended: Promise<void>
  #sayEnded: (() => void) | undefined

  constructor(settings: SandboxSettings) {
    this.#settings = settings
    this.#ended = new Promise((resolve) => (this.#sayEnded = resolve))
    this.#log = new LogLines(settings.print)
    this.#api = new RuntimeApi(
      () => this.#onReady?.(),
      (answer) => this.#answered(answer),
    )
  }

  /** Whether it can have no further call. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Never rejects: whatever goes wrong is how the call went. */
  async invoke(invocation: Invocation): Promise<Invoked> {
    const { timeoutMs } = this.#settings
    this.#log.begin()
    this.#log.note(`START RequestId: ${invocation.requestId} Version: $LATEST`)
    const settled = new Promise<Invoked>((resolve) => (this.#settle = resolve))
    this.#current = { invocation, startedAtMs: performance.now() }
    try {
      await this.#getReady()
    } catch (error) {
      this.#end(failed('Runtime.InvalidEntrypoint', messageOf(error), this.#log.tail))
    }
    if (!this.#isOver) {
      this.#current = { invocation, startedAtMs: performance.now() }
      this.#deadline = setTimeout(() => this.#timedOut(), timeoutMs)
      this.#memoryCheck ??= setInterval(() => void this.#checkMemory(), memoryCheckMs).unref()
      this.#api.hand(invocation, Date.now() + timeoutMs)
    }
    const invoked = await settled
    // What was printed last may arrive after the answer.
    await new Promise((resolve) => setImmediate(resolve))
    return { ...invoked, log: this.#log.tail }
  }

  kill(): void {
    this.#end(failed('Runtime.ExitError', 'The function was stopped.'))
  }

  /** The first time, the process is started. */
  async #getReady(): Promise<void> {
    if (this.#isOver || this.#api.isReady) return
    const ready = new Promise<void>((resolve) => (this.#onReady = resolve))
    if (this.#process === undefined) this.#start(await this.#api.listen())
    const late = setTimeout(() => {
      const seconds = startMs / 1000
      this.#end(failed('Sandbox.Timedout', `The function did not ask for a call within ${seconds} seconds.`))
    }, startMs)
    await Promise.race([ready, this.#ended])
    clearTimeout(late)
  }

  #start(address: string): void {
    const { command, folder, environment } = this.#settings
    const [program = '', ...words] = command
    const started = spawn(program, words, {
      cwd: folder,
      env: { ...environment, AWS_LAMBDA_RUNTIME_API: address },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that whatever it starts is killed with it.
      detached: process.platform !== 'win32',
    })
    this.#process = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => {
        const taken = this.#log.add(chunk)
        if (taken === undefined) return
        // A function that prints faster than anybody reads has to wait: its lines are not kept in our memory.
        stream.pause()
        void taken.finally(() => stream.resume())
      })
    started.on('error', (error) => this.#end(failed('Runtime.InvalidEntrypoint', error.message)))
    started.on('exit', (code, signal) => this.#end(this.#reason ?? this.#exited(code, signal)))
    started.unref()
    for (const stream of [started.stdout, started.stderr]) if ('unref' in stream) (stream.unref as () => void)()
  }

  #answered(answer: RuntimeAnswer): void {
    if (answer.kind === 'init-error') {
      this.#reason = { payload: answer.payload, functionError: 'Unhandled', log: this.#log.tail }
      return
    }
    if (answer.requestId !== this.#current?.invocation.requestId) return
    const isFailure = answer.kind === 'error'
    this.#done({
      payload: answer.payload,
      functionError: isFailure ? 'Unhandled' : undefined,
      log: Buffer.alloc(0),
    })
  }

  #done(invoked: Invoked): void {
    clearTimeout(this.#deadline)
    const current = this.#current
    this.#current = undefined
    if (current === undefined) return
    const { requestId } = current.invocation
    const tookMs = performance.now() - current.startedAtMs
    const sizeMb = Math.round(this.#settings.memoryBytes / 1024 ** 2)
    this.#log.note(`END RequestId: ${requestId}`)
    this.#log.note(
      `REPORT RequestId: ${requestId}\tDuration: ${tookMs.toFixed(2)} ms\tBilled Duration: ${Math.ceil(tookMs)} ms\tMemory Size: ${sizeMb} MB`,
    )
    this.#settle?.(invoked)
  }

  #timedOut(): void {
    const requestId = this.#current?.invocation.requestId ?? ''
    const seconds = (this.#settings.timeoutMs / 1000).toFixed(2)
    this.#end(failed('Sandbox.Timedout', `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`))
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): Invoked {
    const requestId = this.#current?.invocation.requestId ?? ''
    const how =
      signal !== null
        ? `Runtime exited with error: signal: ${signal === 'SIGKILL' ? 'killed' : signal}`
        : code === 0
          ? 'Runtime exited without providing a reason'
          : `Runtime exited with error: exit status ${code}`
    return failed('Runtime.ExitError', `RequestId: ${requestId} Error: ${how}`)
  }

  /** Only Linux says how much memory another process has; elsewhere, the limit of the language's heap must do. */
  async #checkMemory(): Promise<void> {
    const pid = this.#process?.pid
    if (process.platform !== 'linux' || pid === undefined || this.#isOver) return
    const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
    const usedBytes = Number(text.split(' ')[1] ?? 0) * 4096
    if (usedBytes <= this.#settings.memoryBytes + runtimeBytes) return
    const requestId = this.#current?.invocation.requestId ?? ''
    this.#end(
      failed('Runtime.OutOfMemory', `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`),
    )
  }

  #end(reason: Invoked): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#memoryCheck)
    this.#log.end()
    this.#done(reason)
    this.#api.close()
    this.#sayEnded?.()
    const pid = this.#process?.pid
    if (pid === undefined) return
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
