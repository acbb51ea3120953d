import {
  ApiRefusal,
  isJsonObject,
  type ApiCall,
  type ApiHandler,
  type JsonObject,
  type WorkbenchContext,
} from '../api-handler.ts'
import { modelsPath } from '../visitors/visitor.ts'
import type { ImportedModel } from './model-formats.ts'

/** The loaded models: `models` lists them, and `models/<action>` asks about one. */
export const models: ApiHandler = async (context, call) => {
  const name = call.path[0] ?? ''
  const action = actions.get(name)
  if (action === undefined) throw new ApiRefusal(404, 'NotFound', `The workbench API has no "models/${name}".`)
  call.visitor.assertMayOperate('hashrange:Read', modelsPath)
  return action(context, call)
}

type Action = (context: WorkbenchContext, call: ApiCall) => Promise<unknown>

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  /** `{ known }` is the version that the page has: it is not sent again. */
  [
    '',
    async ({ modelFiles }, { body }) => {
      const files = await modelFiles.list()
      const version = files
        .map(({ file, digest, loadedAt, isLoading }) => `${file}@${digest}@${loadedAt}@${isLoading}`)
        .join(' ')
      return version === body['known'] ? { version, unchanged: true } : { version, files }
    },
  ],

  /** Model files that could be loaded, and where new ones could be saved. */
  ['candidates', async ({ modelFiles }) => ({ folders: modelFiles.folders, files: await modelFiles.candidates() })],

  [
    'open',
    async (context, call) => {
      assertMayRun(context, call)
      return context.modelFiles.open(textOf(call.body, 'file'))
    },
  ],

  [
    'close',
    async (context, call) => {
      assertMayRun(context, call)
      context.modelFiles.close(textOf(call.body, 'file'))
    },
  ],

  /** The findings, and what every pattern was measured to take. */
  [
    'check',
    ({ modelFiles }, { body }) =>
      modelFiles.ask(textOf(body, 'file'), { kind: 'check', model: textOf(body, 'model') }),
  ],

  /** Dollars a month, by `region`, the prices of `date` (the newest unless told) and `utilisation` (0.7). */
  [
    'cost',
    ({ modelFiles }, { body }) => {
      const { region, date, utilisation } = body
      const isShare = typeof utilisation === 'number' && utilisation >= 0.2 && utilisation <= 0.9
      return modelFiles.ask(textOf(body, 'file'), {
        kind: 'cost',
        model: textOf(body, 'model'),
        region: typeof region === 'string' ? region.slice(0, 64) : 'us-east-1',
        date: typeof date === 'string' ? date.slice(0, 10) : '9999-12-31',
        utilisation: isShare ? utilisation : undefined,
      })
    },
  ],

  /** The forms that a model can be had in. */
  [
    'formats',
    async () => {
      const { exportFormats } = await import('./model-formats.ts')
      return { formats: exportFormats() }
    },
  ],

  /** The model in another form: `format` is one of those that `hashrange generate` knows. */
  [
    'export',
    ({ modelFiles }, { body }) =>
      modelFiles.ask(textOf(body, 'file'), {
        kind: 'export',
        model: textOf(body, 'model'),
        format: textOf(body, 'format'),
      }),
  ],

  /** The requests that make the model's tables, and sample items for them. */
  [
    'set-up',
    ({ modelFiles }, { body }) =>
      modelFiles.ask(textOf(body, 'file'), { kind: 'set-up', model: textOf(body, 'model') }),
  ],

  /** The models that one can begin with. */
  [
    'templates',
    async () => {
      const { templates } = await import('../../commands/templates.ts')
      return { templates: Object.entries(templates).map(([name, about]) => ({ name, about })) }
    },
  ],

  /** A model file's source, of a file of NoSQL Workbench or of AWS's modelling tool, or of a table with some of its
   *  items: `{ name, content }`; or that of a template: `{ template }`. */
  ['import', importOf],

  /** Imports such a file, writes the resulting model file, and loads it: `{ file, … }`. The page says what the model
   *  is, never what is run: the source is generated here. */
  [
    'save',
    async (context, call) => {
      assertMayRun(context, call)
      const { source } = await importOf(context, call)
      const { writeModel } = await import('./model-formats.ts')
      return context.modelFiles.save(textOf(call.body, 'file'), (path) => writeModel(path, source))
    },
  ],

  /** The text of a model file. */
  [
    'source',
    async (context, call) => {
      assertMayRun(context, call)
      return context.modelFiles.source(textOf(call.body, 'file'))
    },
  ],

  /** What `content` would come to in place of the file. It is run for that. */
  [
    'draft',
    async (context, call) => {
      assertMayEdit(context, call)
      const { body } = call
      return context.modelFiles.tryDraft(textOf(body, 'file'), contentOf(body), textOf(body, 'model'))
    },
  ],

  /** What the type checker says of `content` in place of the file. */
  [
    'types',
    async (context, call) => {
      assertMayEdit(context, call)
      const { body } = call
      return context.modelFiles.checkTypes(textOf(body, 'file'), contentOf(body))
    },
  ],

  /** Replaces the file by `content`, if it still has the `digest` that its text had. */
  [
    'write',
    async (context, call) => {
      assertMayEdit(context, call)
      const { body } = call
      return context.modelFiles.write(textOf(body, 'file'), contentOf(body), textOf(body, 'digest'))
    },
  ],

  /** The requests of one call of a pattern. */
  [
    'explain',
    ({ modelFiles }, { body }) =>
      modelFiles.ask(textOf(body, 'file'), {
        kind: 'explain',
        model: textOf(body, 'model'),
        pattern: textOf(body, 'pattern'),
        parameters: isJsonObject(body['parameters']) ? body['parameters'] : {},
        found: body['found'],
      }),
  ],
])

async function importOf({ modelFiles }: WorkbenchContext, { body }: ApiCall): Promise<ImportedModel> {
  if (body['template'] !== undefined) {
    const { modelOfTemplate } = await import('./model-formats.ts')
    return modelOfTemplate(textOf(body, 'template'))
  }
  const name = textOf(body, 'name')
  return (await modelFiles.askApart(name, { kind: 'import', name, content: contentOf(body) })) as ImportedModel
}

/** A model file is a program. Only users who may write may have one run, and only on their own machine. */
function assertMayRun({ readOnly, remoteModels }: WorkbenchContext, { isFromHere, visitor }: ApiCall): void {
  visitor.assertMayOperate('hashrange:Operate', modelsPath)
  if (readOnly) {
    throw new ApiRefusal(
      403,
      'ReadOnly',
      'This workbench is read-only, so it cannot load models. To show one, start hashrange with --model FILE.',
    )
  }
  if (isFromHere || remoteModels) return
  throw new ApiRefusal(
    403,
    'OtherMachine',
    'Model files are programs, so only pages on the machine that runs hashrange can load them. Start hashrange with --model FILE to show one, ' +
      'or with --remote-models to let other machines load them.',
  )
}

/** To edit a model file is to say what is run: the operator has to want that. */
function assertMayEdit(context: WorkbenchContext, call: ApiCall): void {
  assertMayRun(context, call)
  if (context.editModels) return
  throw new ApiRefusal(
    403,
    'NoEditing',
    'Model files are programs, so the page does not change them unless hashrange was started with --edit-models.',
  )
}

function textOf(body: JsonObject, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || value === '' || value.length > 4096 || value.includes('\0')) {
    throw new ApiRefusal(400, 'BadRequest', `The request is missing "${name}".`)
  }
  return value
}

const mostContent = 8 * 1024 * 1024

function contentOf({ content }: JsonObject): string {
  if (typeof content !== 'string' || content.length > mostContent) {
    throw new ApiRefusal(400, 'BadRequest', 'The request is missing "content", or it is larger than 8 MB.')
  }
  return content
}
