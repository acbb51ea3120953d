import { resolve } from 'node:path'
import type { AnyModel, ModelDescription } from '@hashrange/model'
import type { CheckReport } from '@hashrange/model/check'
import { loadNamedModels, type NamedModel } from '../../load-model.ts'
import { ApiRefusal } from '../api-handler.ts'
import { shownPath } from './model-path.ts'
import { readSources, signatureOf } from './source-files.ts'

/** A model file as the page sees it. While it is wrong, the models are those of when it last was right. */
export interface ModelFileInfo {
  /** Relative to the working directory where it is below it; names the file in all requests. */
  readonly file: string
  readonly path: string
  /** Whether the command line named it, or the page loaded it. */
  readonly origin: 'command-line' | 'page'
  /** Of the content, imports included. */
  readonly digest: string
  /** Seconds since 1970, of the last change that was seen. */
  readonly loadedAt: number
  readonly error: ModelFileError | null
  readonly models: readonly { readonly exportName: string; readonly description: ModelDescription }[]
}

export interface ModelFileError {
  readonly message: string
  readonly line: number | null
  readonly column: number | null
}

interface WatchedFile {
  readonly path: string
  readonly origin: ModelFileInfo['origin']
  files: readonly string[]
  signature: string
  digest: string
  loadedAt: number
  error: ModelFileError | null
  models: readonly NamedModel[]
  reports: Map<string, Promise<CheckReport>>
}

/** The models that the workbench shows. A file is looked at whenever the page asks, and loaded again when it, or what it imports, has
 *  changed: nothing goes on while nobody looks. */
export class ModelFiles {
  readonly folder: string
  private readonly watched = new Map<string, WatchedFile>()
  private refreshing: Promise<void> | undefined
  /** One after the other: a check keeps a processor busy. */
  private checks: Promise<unknown> = Promise.resolve()

  constructor(paths: readonly string[], folder: string = process.cwd()) {
    this.folder = folder
    for (const path of paths) this.watch(resolve(folder, path), 'command-line')
  }

  /** All files, as they are now. */
  async list(): Promise<ModelFileInfo[]> {
    await this.refresh()
    return [...this.watched.values()].map((file) => this.infoOf(file))
  }

  async open(path: string): Promise<ModelFileInfo> {
    const file = this.watched.get(path) ?? this.watch(path, 'page')
    await this.refresh()
    return this.infoOf(file)
  }

  close(name: string): void {
    const file = this.fileNamed(name)
    if (file.origin === 'page') this.watched.delete(file.path)
  }

  async model(name: string, modelName: string): Promise<AnyModel> {
    await this.refresh()
    return this.modelOf(this.fileNamed(name), modelName)
  }

  /** What the checker says, once for each content of the file. */
  async report(name: string, modelName: string): Promise<CheckReport> {
    await this.refresh()
    const file = this.fileNamed(name)
    const model = this.modelOf(file, modelName)
    const known = file.reports.get(modelName)
    if (known !== undefined) return known
    const report = this.checks.then(() => check(model))
    const { reports } = file
    reports.set(modelName, report)
    // A check that failed is tried again when it is next asked for.
    this.checks = report.catch(() => reports.delete(modelName))
    return report
  }

  private watch(path: string, origin: ModelFileInfo['origin']): WatchedFile {
    const file: WatchedFile = {
      path,
      origin,
      files: [path],
      signature: '',
      digest: '',
      loadedAt: 0,
      error: null,
      models: [],
      reports: new Map(),
    }
    this.watched.set(path, file)
    return file
  }

  private async refresh(): Promise<void> {
    // Requests that come meanwhile wait for the same look, and then have one of their own: theirs may be about a newer file.
    await this.refreshing
    this.refreshing = Promise.all([...this.watched.values()].map((file) => refreshFile(file))).then(() => undefined)
    await this.refreshing
  }

  private fileNamed(name: string): WatchedFile {
    const file = this.watched.get(resolve(this.folder, name))
    if (file === undefined) throw new ApiRefusal(404, 'NoSuchModel', `The model file ${name} is not loaded.`)
    return file
  }

  private modelOf(file: WatchedFile, name: string): AnyModel {
    const found = file.models.find(({ model }) => model.description.name === name)
    if (found !== undefined) return found.model
    throw new ApiRefusal(
      404,
      'NoSuchModel',
      file.error?.message ?? `${shownPath(file.path, this.folder)} has no model "${name}".`,
    )
  }

  private infoOf(file: WatchedFile): ModelFileInfo {
    return {
      file: shownPath(file.path, this.folder),
      path: file.path,
      origin: file.origin,
      digest: file.digest,
      loadedAt: file.loadedAt,
      error: file.error,
      models: file.models.map(({ exportName, model }) => ({ exportName, description: model.description })),
    }
  }
}

async function refreshFile(file: WatchedFile): Promise<void> {
  const signature = await signatureOf(file.files)
  if (signature === file.signature) return
  const { digest, files } = await readSources(file.path)
  file.files = files
  file.signature = await signatureOf(files)
  if (digest === file.digest) return
  file.digest = digest
  file.loadedAt = Date.now() / 1000
  try {
    file.models = await loadNamedModels(file.path)
    file.error = null
    file.reports = new Map()
  } catch (error) {
    file.error = errorOf(error)
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

async function check(model: AnyModel): Promise<CheckReport> {
  const [{ checkModel }, { openTrial }] = await Promise.all([
    import('@hashrange/model/check'),
    import('../../commands/open-trial.ts'),
  ])
  return checkModel(model, { open: openTrial })
}
