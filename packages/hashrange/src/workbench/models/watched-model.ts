import type { DescribedModel, ModelFileError } from '@hashrange/workbench/answers'
import { ApiRefusal } from '../api-handler.ts'
import { ModelChild } from './model-child.ts'
import type { ModelLimits } from './model-limits.ts'
import type { ModelQuestion } from './model-question.ts'
import { readSources, signatureOf } from './source-files.ts'
import type { Turns } from './turns.ts'

/** A model file that is followed while it is edited. It runs in a separate process, which is restarted whenever the
 *  file, or what it imports, has changed. While it is broken, the models are the last valid ones. */
export class WatchedModel {
  readonly path: string
  /** Whether the command line named it, or the page loaded it. */
  readonly origin: 'command-line' | 'page'
  /** Of the content, imports included. */
  digest = ''
  /** Seconds since 1970, of the last change that was noticed. */
  loadedAt = 0
  error: ModelFileError | null = null
  models: readonly DescribedModel[] = []
  /** While it is being loaded; it never rejects. */
  loading: Promise<void> | undefined
  readonly #name: string
  readonly #limits: ModelLimits
  readonly #turns: Turns
  #files: readonly string[]
  #signature = ''
  /** The process of the models that are shown, and that of a newer content, which may turn out to be broken. */
  #child: ModelChild | undefined
  #next: ModelChild | undefined
  #answers = new Map<string, Promise<unknown>>()

  constructor(path: string, name: string, origin: 'command-line' | 'page', limits: ModelLimits, turns: Turns) {
    this.path = path
    this.#name = name
    this.origin = origin
    this.#limits = limits
    this.#turns = turns
    this.#files = [path]
  }

  /** Checks whether the file has changed, and starts loading it if so. */
  async look(): Promise<void> {
    const signature = await signatureOf(this.#files)
    if (signature === this.#signature) return
    const { digest, files } = await readSources(this.path)
    this.#files = files
    this.#signature = await signatureOf(files)
    if (digest === this.digest) return
    this.digest = digest
    this.loadedAt = Date.now() / 1000
    this.#answers = new Map()
    this.#load()
  }

  /** Asks about a model of the file, which is loaded again if its process has been stopped meanwhile. */
  async ask(question: ModelQuestion, limitMs: number): Promise<unknown> {
    await this.loading
    if (this.#child === undefined || this.#child.isOver) {
      if (this.error === null && this.loading === undefined) this.#load()
      await this.loading
    }
    if (this.#child === undefined || this.#child.isOver) {
      throw new ApiRefusal(400, 'ModelFailed', this.error?.message ?? `${this.#name} cannot be loaded.`)
    }
    return this.#child.ask(question, limitMs)
  }

  /** Like `ask`, once for each content of the file. What failed is tried again on the next request. */
  askOnce(question: ModelQuestion, ask: () => Promise<unknown>): Promise<unknown> {
    const key = JSON.stringify(question)
    const answers = this.#answers
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = ask()
    answers.set(key, answer)
    answer.catch(() => answers.delete(key))
    return answer
  }

  close(): void {
    this.#child?.stop()
    this.#next?.stop()
  }

  #load(): void {
    // A file that is saved while its old content still loops need not wait for that.
    const previous = this.#next
    this.#next = undefined
    previous?.stop()
    const { digest } = this
    const loading = this.#turns
      .take(() => this.#loadOnce(digest))
      .finally(() => {
        if (this.loading === loading) this.loading = undefined
      })
    this.loading = loading
  }

  async #loadOnce(digest: string): Promise<void> {
    if (digest !== this.digest) return
    const child = new ModelChild(this.#name, this.#limits)
    this.#next = child
    try {
      const models = (await child.ask(
        { kind: 'load', path: this.path },
        this.#limits.loadMs,
      )) as readonly DescribedModel[]
      if (this.#next !== child) return child.stop()
      this.#child?.stop()
      this.#child = child
      this.models = models
      this.error = null
    } catch (error) {
      if (this.#next === child) this.error = errorOf(error)
      child.stop()
    } finally {
      if (this.#next === child) this.#next = undefined
    }
  }
}

function errorOf(error: unknown): ModelFileError {
  const message = error instanceof Error ? error.message : String(error)
  const place = /:(\d+):(\d+): /.exec(message)
  return {
    message,
    line: place === null ? null : Number(place[1]),
    column: place === null ? null : Number(place[2]),
  }
}
