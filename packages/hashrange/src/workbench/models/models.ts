import { ApiRefusal, type ApiCall, type ApiHandler, type WorkbenchContext } from '../api-handler.ts'
import { explainPattern } from './explain-pattern.ts'
import { findModelFiles, pathFromPage } from './model-path.ts'

/** The loaded models: `models` lists them, and `models/<action>` asks about one. */
export const models: ApiHandler = async (context, call) => {
  const action = actions[call.path[0] ?? '']
  if (action === undefined) {
    throw new ApiRefusal(404, 'NotFound', `The models cannot be asked for "${call.path[0] ?? ''}".`)
  }
  return action(context, readBody(call))
}

type Body = Readonly<Record<string, unknown>>

const actions: Readonly<Record<string, (context: WorkbenchContext, body: Body) => Promise<unknown>>> = {
  /** `{ known }` is the version that the page has: it is not sent again. */
  '': async ({ modelFiles }, { known }) => {
    const files = await modelFiles.list()
    const version = files.map(({ file, digest, loadedAt }) => `${file}@${digest}@${loadedAt}`).join(' ')
    return version === known ? { version, unchanged: true } : { version, folder: modelFiles.folder, files }
  },

  /** Model files that could be loaded. */
  candidates: async ({ modelFiles }) => ({
    folder: modelFiles.folder,
    files: await findModelFiles(modelFiles.folder),
  }),

  /** A model file is a program: only whoever may write may have one run. */
  open: async (context, body) => {
    refuseReadOnly(context)
    const { modelFiles } = context
    return modelFiles.open(await pathFromPage(textOf(body, 'file'), modelFiles.folder))
  },

  close: async (context, body) => {
    refuseReadOnly(context)
    context.modelFiles.close(textOf(body, 'file'))
  },

  /** The findings, and what every pattern was measured to take. */
  check: async ({ modelFiles }, body) => {
    const report = await modelFiles.report(textOf(body, 'file'), textOf(body, 'model'))
    const { jsonReport } = await import('@hashrange/model/check')
    return jsonReport(report)
  },

  /** Dollars a month, by `region`, the prices of `date` (the newest unless told) and `utilisation` (0.7). */
  cost: async ({ modelFiles }, body) => {
    const { model, measurement } = await modelFiles.report(textOf(body, 'file'), textOf(body, 'model'))
    const { costOf, findPrices, knownRegions } = await import('@hashrange/model/cost')
    const region = typeof body['region'] === 'string' ? body['region'] : 'us-east-1'
    const date = typeof body['date'] === 'string' ? body['date'] : '9999-12-31'
    const prices = findPrices(region, date)
    if (prices === undefined) {
      throw new ApiRefusal(
        400,
        'NoPrices',
        `There are no prices for ${region} on ${date}. There are some for ${knownRegions().join(', ')}.`,
      )
    }
    const { utilisation } = body
    const isShare = typeof utilisation === 'number' && utilisation >= 0.2 && utilisation <= 0.9
    return costOf(model, measurement, { prices, ...(isShare && { targetUtilisation: utilisation }) })
  },

  /** The forms that a model can be had in. */
  formats: async () => {
    const { exportFormats } = await import('./model-formats.ts')
    return { formats: exportFormats() }
  },

  /** The model in another form: `format` is one of those that `hashrange generate` knows. */
  export: async ({ modelFiles }, body) => {
    const model = await modelFiles.model(textOf(body, 'file'), textOf(body, 'model'))
    const { exportModel } = await import('./model-formats.ts')
    return exportModel(model, textOf(body, 'format'))
  },

  /** The requests that make the model's tables, and sample items for them. */
  'set-up': async ({ modelFiles }, body) => {
    const model = await modelFiles.model(textOf(body, 'file'), textOf(body, 'model'))
    const { modelSamples, putRequests, setUpRequests } = await import('@hashrange/model/export')
    return { requests: setUpRequests(model.description), samples: putRequests(modelSamples(model, {})) }
  },

  /** A model file's source, of a file of NoSQL Workbench or of AWS's modelling tool: `{ name, content }`. */
  import: async (_context, body) => {
    const { importModel } = await import('./model-formats.ts')
    return importModel(contentOf(body), textOf(body, 'name'))
  },

  /** Writes a new model file and loads it: `{ file, content }`. */
  save: async (context, body) => {
    refuseReadOnly(context)
    const { modelFiles } = context
    const { saveModel } = await import('./model-formats.ts')
    return modelFiles.open(await saveModel(textOf(body, 'file'), contentOf(body), modelFiles.folder))
  },

  /** The requests of one call of a pattern. */
  explain: async ({ modelFiles }, body) => {
    const model = await modelFiles.model(textOf(body, 'file'), textOf(body, 'model'))
    const parameters = isObject(body['parameters']) ? body['parameters'] : {}
    return { requests: await explainPattern(model, textOf(body, 'pattern'), parameters, body['found']) }
  },
}

function refuseReadOnly({ readOnly }: WorkbenchContext): void {
  if (!readOnly) return
  throw new ApiRefusal(
    403,
    'ReadOnly',
    'This workbench is read-only and loads no models. Start hashrange with --model FILE to show one.',
  )
}

function readBody({ body }: ApiCall): Body {
  if (!isObject(body)) throw new ApiRefusal(400, 'BadRequest', 'The request is an object.')
  return body
}

function textOf(body: Body, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || value === '' || value.length > 4096 || value.includes('\0')) {
    throw new ApiRefusal(400, 'BadRequest', `The request lacks "${name}".`)
  }
  return value
}

const mostContent = 8 * 1024 * 1024

function contentOf({ content }: Body): string {
  if (typeof content !== 'string' || content.length > mostContent) {
    throw new ApiRefusal(400, 'BadRequest', 'The request lacks "content", or it is larger than 8 MB.')
  }
  return content
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
