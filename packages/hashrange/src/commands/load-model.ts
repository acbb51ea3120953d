import { stat } from 'node:fs/promises'
import { extname, relative, resolve } from 'node:path'
import type { AnyModel } from '@hashrange/model'
import type { Derived } from '@hashrange/model/derived'
import type { Upgrade } from '@hashrange/model/migration'
import { loadSource } from '../load-source.ts'
import { Mistake } from '../mistake.ts'
import { reportUnfinished } from './report-unfinished.ts'

/** The model of a file: its default export, or the only one it exports. */
export async function loadModel(file: string): Promise<AnyModel> {
  const exported = await loadInCommand(file)
  const models = modelsIn(exported)
  const chosen = isModel(exported['default']) ? exported['default'] : models[0]
  if (chosen === undefined) throw noModel(file)
  if (models.length > 1 && !isModel(exported['default'])) {
    const names = models.map(({ name }) => name).join(', ')
    throw new Mistake(`${file} exports several models (${names}). Make the one to use the default export.`)
  }
  return chosen
}

export interface NamedModel {
  /** What the file exports it as. */
  readonly exportName: string
  readonly model: AnyModel
}

/** All models of a file, under the names by which they are imported. If the process ends meanwhile, the caller has to say so. */
export async function loadNamedModels(file: string): Promise<readonly NamedModel[]> {
  const exported = await loadExports(file)
  const found = modelsIn(exported)
  if (found.length === 0) throw noModel(file)
  return found.map((model) => {
    const names = Object.keys(exported).filter((name) => exported[name] === model)
    return { exportName: names.find((name) => name !== 'default') ?? 'default', model }
  })
}

/** All models of a file. */
export async function loadModels(file: string): Promise<readonly AnyModel[]> {
  const models = modelsIn(await loadInCommand(file))
  if (models.length === 0) throw noModel(file)
  return models
}

/** All that a file derives from its models. */
export async function loadDerived(file: string): Promise<readonly Derived[]> {
  return [...new Set(Object.values(await loadInCommand(file)).filter(isDerived))]
}

/** How a file turns items of the version before into those of its model: its export `upgrade`. */
export async function loadUpgrade(file: string): Promise<Readonly<Record<string, Upgrade>> | undefined> {
  const { upgrade } = await loadInCommand(file)
  if (upgrade === undefined) return undefined
  const isUpgrade = (value: unknown): value is Readonly<Record<string, Upgrade>> =>
    typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'function')
  if (isUpgrade(upgrade)) return upgrade
  throw new Mistake(`${file} exports upgrade, which must be an object with a function for each entity.`)
}

function loadInCommand(file: string): Promise<Readonly<Record<string, unknown>>> {
  return reportUnfinished(file, () => loadExports(file))
}

async function loadExports(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file)
  const found = await stat(path).catch((cause: unknown) => {
    throw new Mistake(`There is no file ${file}.`, { cause })
  })
  if (found.isDirectory()) throw new Mistake(`${file} is a folder. Name a model file inside it.`)
  if (!/^\.[cm]?[jt]sx?$/.test(extname(path))) {
    throw new Mistake(
      `${file} is not a model file. Model files are TypeScript or JavaScript files, such as shop.model.ts.`,
    )
  }
  // The model uses this copy of the library, wherever its file is.
  const virtualModules = {
    '@hashrange/model': await import('@hashrange/model'),
    '@hashrange/model/changes': await import('@hashrange/model/changes'),
    '@hashrange/model/migration': await import('@hashrange/model/migration'),
    '@hashrange/model/derived': await import('@hashrange/model/derived'),
  }
  try {
    return await loadSource(path, { virtualModules })
  } catch (error) {
    throw new Mistake(explain(error, path), { cause: error })
  }
}

function modelsIn(exported: Readonly<Record<string, unknown>>): readonly AnyModel[] {
  const models = [...new Set(Object.values(exported).filter(isModel))]
  for (const model of models) refuseImpossibleFigures(model)
  return models
}

/** Data, costs and reviews are computed from the declarations: an impossible figure would affect all of them. */
function refuseImpossibleFigures({ description }: AnyModel): void {
  const declared = [
    ...description.entities.map(({ name, volume }) => [`volume of ${name}`, volume] as const),
    ...description.patterns.map(({ name, traffic }) => [`traffic of ${name}`, traffic] as const),
  ]
  for (const [what, figures] of declared) {
    for (const [name, value] of Object.entries(figures)) {
      if (typeof value === 'number' && !(value >= 0)) {
        throw new Mistake(
          `The model ${description.name}: the ${what} has ${name}: ${value}. Declare a number that is 0 or greater.`,
        )
      }
    }
  }
}

/** By its form: the file may have loaded another copy of the library. */
function isModel(value: unknown): value is AnyModel {
  return (
    typeof value === 'object' &&
    value !== null &&
    'resolved' in value &&
    'definitions' in value &&
    'description' in value
  )
}

function isDerived(value: unknown): value is Derived {
  return typeof value === 'object' && value !== null && 'derivations' in value && 'model' in value
}

function noModel(file: string): Mistake {
  return new Mistake(`${file} does not export a model. Export the result of model({ … }).`)
}

/** What is wrong, and in which line of the model file. */
function explain(error: unknown, path: string): string {
  if (!(error instanceof Error)) return `${show(path)}: ${String(error)}`
  const place = placeIn(error, path)
  const message = error.message
    .replace(/^ParseError: /, '')
    .replace(/\nRequire stack:[^]*$/, '')
    .replaceAll(new RegExp(`\\s*\\(?(?:file://)?${escapeForRegExp(path)}:\\d+:\\d+\\)?`, 'g'), '')
    .replace(/ \(0?,?\d+:\d+\)/, '')
    .replace(/\b_model\./, '')
    .trim()
  return `${show(path)}${place}: ${message}`
}

/** `:15:12`. Either from the message, or from the first line of the stack that is in the file. */
function placeIn(error: Error, path: string): string {
  const pattern = new RegExp(`${escapeForRegExp(path)}:(\\d+):(\\d+)`)
  const match = pattern.exec(error.message) ?? pattern.exec(error.stack ?? '')
  return match === null ? '' : `:${match[1]}:${match[2]}`
}

function show(path: string): string {
  const shorter = relative(process.cwd(), path)
  return shorter.startsWith('..') ? path : shorter
}

function escapeForRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
