import { readFile, rename, rm, writeFile } from 'node:fs/promises'

/** What a transfer records about itself, so that it can be continued. Written completely or not at all. */
export class StateFile<State extends object> {
  readonly path: string
  #state: State
  #writing: Promise<void> | undefined
  #isDirty = false

  private constructor(path: string, state: State) {
    this.path = path
    this.#state = state
  }

  /** Opens the state of an interrupted transfer, or starts with `fresh`. `belongs` says whether an existing state is
   *  of the same transfer. */
  static async open<State extends object>(
    path: string,
    fresh: State,
    belongs: (found: State) => boolean,
  ): Promise<{ readonly file: StateFile<State>; readonly isResumed: boolean }> {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return { file: new StateFile(path, fresh), isResumed: false }
    const found = parse<State>(path, text)
    if (!belongs(found)) {
      throw new StateError('of-another-transfer', path)
    }
    return { file: new StateFile(path, found), isResumed: true }
  }

  get state(): State {
    return this.#state
  }

  /** Changes are written in the background, many at once; `save` waits for them. */
  change(state: State): void {
    this.#state = state
    this.#isDirty = true
    this.#writing ??= this.#writeAll()
  }

  async save(): Promise<void> {
    await this.#writing
  }

  /** The transfer is complete: there is nothing to continue. */
  async remove(): Promise<void> {
    await this.save()
    await rm(this.path, { force: true })
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#isDirty) {
        this.#isDirty = false
        const unfinished = `${this.path}.unfinished`
        await writeFile(unfinished, JSON.stringify(this.#state))
        await rename(unfinished, this.path)
      }
    } finally {
      this.#writing = undefined
    }
  }
}

/** The recorded state does not fit the requested transfer. */
export class StateError extends Error {
  readonly code: 'of-another-transfer' | 'damaged'
  readonly path: string

  constructor(code: StateError['code'], path: string, cause?: unknown) {
    super(code === 'damaged' ? `${path} is damaged.` : `${path} belongs to another transfer.`, { cause })
    this.name = 'StateError'
    this.code = code
    this.path = path
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function parse<State>(path: string, text: string): State {
  try {
    const state: State = JSON.parse(text)
    return state
  } catch (cause) {
    throw new StateError('damaged', path, cause)
  }
}
