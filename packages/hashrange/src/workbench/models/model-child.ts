import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { packageFolder } from '../../package-folder.ts'
import { ApiRefusal } from '../api-handler.ts'
import type { ModelLimits } from './model-limits.ts'
import type { Answered, Asked, ModelQuestion } from './model-question.ts'

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: ApiRefusal) => void
  readonly deadline: NodeJS.Timeout
}

/** The process in which one model file runs. It is killed when a question takes too long, when it uses too much
 *  memory, and when nothing has been asked for a while; whoever still waits is told why. */
export class ModelChild {
  /** How the file is called in sentences. */
  readonly #name: string
  readonly #limits: ModelLimits
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #ending: ApiRefusal | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(name: string, limits: ModelLimits) {
    this.#name = name
    this.#limits = limits
    const words = [String(limits.memoryBytes), String(limits.checkItems)]
    this.#process = fork(join(packageFolder(), 'dist', 'model-process.js'), words, {
      execArgv: [`--max-old-space-size=${Math.ceil(limits.memoryBytes / 1024 ** 2)}`],
      // What a model prints is for the operator of the server, not for the readers of its answers.
      stdio: ['ignore', 2, 2, 'ipc'],
      env: childEnvironment(),
    })
    this.#process.on('message', (answered) => this.#receive(answered as Answered))
    this.#process.on('exit', (code, signal) => this.#end(this.#explainExit(code, signal)))
    this.#process.on('error', (error) => this.#end(refusal(503, 'NoProcess', `${name}: ${error.message}`)))
    // A server that wants to stop need not wait for it; it ends when its channel closes.
    this.#process.unref()
    this.#process.channel?.unref()
  }

  /** Whether nothing can be asked any more. */
  get isOver(): boolean {
    return this.#ending !== undefined
  }

  ask(question: ModelQuestion, limitMs: number): Promise<unknown> {
    if (this.#ending !== undefined) return Promise.reject(this.#ending)
    clearTimeout(this.#idle)
    const id = this.#asked++
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.stop(this.#tookTooLong(question, limitMs)), limitMs).unref()
      this.#waiting.set(id, { resolve, reject, deadline })
      const message: Asked = { id, question }
      // If it cannot be sent, the process is gone, and its exit says why.
      this.#process.send(message, () => undefined)
    })
  }

  stop(reason: ApiRefusal = refusal(503, 'Stopped', `${this.#name} is no longer needed.`)): void {
    this.#end(reason)
    this.#process.kill('SIGKILL')
  }

  #receive(answered: Answered): void {
    const waiting = this.#waiting.get(answered.id)
    if (waiting === undefined) return
    this.#waiting.delete(answered.id)
    clearTimeout(waiting.deadline)
    if ('answer' in answered) waiting.resolve(answered.answer)
    else waiting.reject(refusal(answered.refusal.status, answered.refusal.code, answered.refusal.message))
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.stop(), this.#limits.idleMs).unref()
  }

  #end(reason: ApiRefusal): void {
    if (this.#ending !== undefined) return
    this.#ending = reason
    clearTimeout(this.#idle)
    for (const { reject, deadline } of this.#waiting.values()) {
      clearTimeout(deadline)
      reject(reason)
    }
    this.#waiting.clear()
  }

  #tookTooLong({ kind }: ModelQuestion, limitMs: number): ApiRefusal {
    const seconds = `${limitMs / 1000} ${limitMs === 1000 ? 'second' : 'seconds'}`
    return refusal(
      400,
      'ModelTooSlow',
      kind === 'load'
        ? `${this.#name} was stopped: it did not finish loading within ${seconds}. Check the file for an endless loop, or for something it waits for.`
        : `${this.#name} was stopped: it did not answer (${kind}) within ${seconds}.`,
    )
  }

  /** Nobody else kills it: it did so itself, or the system did, in both cases because of memory. */
  #explainExit(code: number | null, signal: NodeJS.Signals | null): ApiRefusal {
    if (signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134) {
      const limit = `${Math.round(this.#limits.memoryBytes / 1024 ** 2)} MB`
      return refusal(
        400,
        'ModelTooLarge',
        `${this.#name} was stopped: it used too much memory (more than ${limit}).`,
      )
    }
    const how = signal === null ? `with exit code ${code ?? 0}` : `by ${signal}`
    return refusal(
      400,
      'ModelExited',
      `${this.#name} ended its own process ${how}. A model file should only declare a model.`,
    )
  }
}

function refusal(status: number, code: string, sentence: string): ApiRefusal {
  return new ApiRefusal(status, code, sentence)
}

/** What is only meant for the server, such as the password of its database, is not passed on. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HASHRANGE_')))
}
