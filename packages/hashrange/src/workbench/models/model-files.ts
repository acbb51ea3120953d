import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DraftAnswer, ModelFile, ModelSource, TypeAnswer } from '@hashrange/workbench/answers'
import { ApiRefusal } from '../api-handler.ts'
import { checkTypes } from './check-types.ts'
import { ModelChild } from './model-child.ts'
import { readModelSource, tryDraft, writeModelSource } from './model-draft.ts'
import { defaultModelLimits, type ModelLimits } from './model-limits.ts'
import { findModelFiles, newPathFromPage, pathFromPage, shownPath, type ModelFolders } from './model-path.ts'
import type { ModelQuestion } from './model-question.ts'
import { Turns } from './turns.ts'
import { WatchedModel } from './watched-model.ts'

export interface ModelFilesOptions {
  /** What relative paths are relative to; the working directory unless told. */
  readonly base?: string | undefined
  readonly limits?: Partial<ModelLimits> | undefined
}

/** How long a list waits for files that are being loaded. */
const listPatienceMs = 1500
/** More than anybody looks at. */
const mostFromPage = 20

/** The models that the workbench shows: those that the command line names, and those that the page has loaded from
 *  folders that the command line names. A file is checked whenever the page asks, and loaded again when it has
 *  changed: nothing happens while nobody looks. */
export class ModelFiles {
  readonly #places: ModelFolders
  readonly #limits: ModelLimits
  readonly #watched = new Map<string, WatchedModel>()
  #looking: Promise<unknown> | undefined
  /** Loading keeps a processor busy, and so do checks. */
  readonly #loads = new Turns(2)
  readonly #checks = new Turns(1)
  readonly #typeChecks = new Turns(1)
  /** The process of the last draft of each file. */
  readonly #drafts = new Map<string, ModelChild>()
  /** Ends the last run of the type checker for each file. */
  readonly #typing = new Map<string, AbortController>()

  constructor(paths: readonly string[], { base = process.cwd(), limits }: ModelFilesOptions = {}) {
    this.#limits = { ...defaultModelLimits, ...limits }
    const absolute = paths.map((path) => resolve(base, path))
    this.#places = { base, folders: absolute.filter(isFolder) }
    for (const path of absolute) if (!isFolder(path)) this.#watch(path, 'command-line')
  }

  /** The folders that the page may load from and save to, as it shows them. */
  get folders(): readonly string[] {
    return this.#places.folders.map((folder) => shownPath(folder, this.#places.base))
  }

  /** The files that are followed, as the page shows them. */
  get names(): readonly string[] {
    return [...this.#watched.values()].map(({ path }) => shownPath(path, this.#places.base))
  }

  /** All files, as they are now. One that takes long to load is shown as being loaded. */
  async list(): Promise<ModelFile[]> {
    await this.#look()
    const files = [...this.#watched.values()]
    const patience = new AbortController()
    await Promise.race([
      Promise.all(files.map(async ({ loading }) => loading)),
      pause(listPatienceMs, undefined, { ref: false, signal: patience.signal }).catch(() => undefined),
    ])
    patience.abort()
    return files.map((file) => this.#infoOf(file))
  }

  /** Model files that the page may load. */
  candidates(): Promise<string[]> {
    return findModelFiles(this.#places)
  }

  /** Follows a file from now on, and runs it. */
  async open(name: string): Promise<ModelFile> {
    const known = this.#watched.get(resolve(this.#places.base, name))
    return this.#follow(known?.path ?? (await pathFromPage(name, this.#places)))
  }

  /** Writes a new model file with the result of `source`, and follows it. */
  async save(name: string, write: (path: string) => Promise<void>): Promise<ModelFile> {
    const path = await newPathFromPage(name, this.#places)
    await write(path)
    return this.#follow(path)
  }

  /** The text of a file that is followed. */
  source(name: string): Promise<ModelSource> {
    return readModelSource(this.#fileNamed(name).path)
  }

  /** What a text would come to if it replaced a file. */
  async tryDraft(name: string, text: string, model: string): Promise<DraftAnswer> {
    const { path } = this.#fileNamed(name)
    // Whoever types on does not want to know about what was there before.
    this.#drafts.get(path)?.stop()
    return tryDraft(path, text, model, {
      limits: this.#limits,
      loads: this.#loads,
      checks: this.#checks,
      onChild: (child) => void this.#drafts.set(path, child),
    })
  }

  /** What the type checker says of a text in place of a file. */
  async checkTypes(name: string, text: string): Promise<TypeAnswer> {
    const { path } = this.#fileNamed(name)
    this.#typing.get(path)?.abort()
    const wanted = new AbortController()
    this.#typing.set(path, wanted)
    return this.#typeChecks.take(() => checkTypes(path, text, wanted.signal))
  }

  /** Replaces the text of a file that is followed, if it is still the one with this digest. */
  async write(name: string, text: string, digest: string): Promise<ModelSource> {
    const file = this.#fileNamed(name)
    const written = await writeModelSource(file.path, text, digest)
    await this.#look()
    return written
  }

  close(name: string): void {
    const file = this.#fileNamed(name)
    if (file.origin !== 'page') return
    this.#watched.delete(file.path)
    file.close()
  }

  /** Asks about a model of a file, as it is now. */
  async ask(name: string, question: ModelQuestion): Promise<unknown> {
    await this.#look()
    const file = this.#fileNamed(name)
    await file.loading
    this.#assertModel(file, question)
    if (question.kind !== 'check' && question.kind !== 'cost') return file.ask(question, this.#limits.answerMs)
    return file.askOnce(question, () => this.#checks.take(() => file.ask(question, this.#limits.checkMs)))
  }

  /** Asks something that is not about a file here, in a separate process. */
  async askApart(subject: string, question: ModelQuestion): Promise<unknown> {
    return this.#loads.take(async () => {
      const child = new ModelChild(subject, this.#limits)
      try {
        return await child.ask(question, this.#limits.answerMs)
      } finally {
        child.stop()
      }
    })
  }

  async #follow(path: string): Promise<ModelFile> {
    const file = this.#watched.get(path) ?? this.#watch(path, 'page')
    await this.#look()
    await file.loading
    return this.#infoOf(file)
  }

  #watch(path: string, origin: WatchedModel['origin']): WatchedModel {
    const fromPage = [...this.#watched.values()].filter((file) => file.origin === 'page')
    if (origin === 'page' && fromPage.length >= mostFromPage) {
      throw new ApiRefusal(
        400,
        'TooManyModels',
        `${mostFromPage} model files are already loaded. Close one of them first.`,
      )
    }
    const name = shownPath(path, this.#places.base)
    const file = new WatchedModel(path, name, origin, this.#limits, this.#loads)
    this.#watched.set(path, file)
    return file
  }

  async #look(): Promise<void> {
    // Requests that come meanwhile wait for the same check, and then have one of their own: theirs may be about a
    // newer file.
    await this.#looking
    this.#looking = Promise.all([...this.#watched.values()].map((file) => file.look()))
    await this.#looking
  }

  #fileNamed(name: string): WatchedModel {
    const file = this.#watched.get(resolve(this.#places.base, name))
    if (file === undefined) throw new ApiRefusal(404, 'NoSuchModel', `The model file ${name} is not loaded.`)
    return file
  }

  #assertModel(file: WatchedModel, question: ModelQuestion): void {
    if (!('model' in question)) return
    if (file.models.some(({ description }) => description.name === question.model)) return
    throw new ApiRefusal(
      404,
      'NoSuchModel',
      file.error?.message ?? `${shownPath(file.path, this.#places.base)} has no model "${question.model}".`,
    )
  }

  #infoOf({ path, origin, digest, loadedAt, loading, error, models }: WatchedModel): ModelFile {
    const file = shownPath(path, this.#places.base)
    return { file, path, origin, digest, loadedAt, isLoading: loading !== undefined, error, models }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
