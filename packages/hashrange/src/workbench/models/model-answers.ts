import type { AnyModel } from '@hashrange/model'
import type { CheckReport } from '@hashrange/model/check'
import type { DescribedModel } from '@hashrange/workbench/answers'
import { loadNamedModels, type NamedModel } from '../../commands/load-model.ts'
import { ApiRefusal } from '../api-handler.ts'
import { explainPattern } from './explain-pattern.ts'
import type { CostOptions, ModelQuestion } from './model-question.ts'

/** Answers questions about the models of one file, in the process that runs it. */
export class ModelAnswers {
  /** How many items the checker makes up at most. */
  readonly #checkItems: number | undefined
  #models: readonly NamedModel[] = []
  readonly #reports = new Map<string, Promise<CheckReport>>()

  constructor(checkItems?: number) {
    this.#checkItems = checkItems
  }

  async answer(question: ModelQuestion): Promise<unknown> {
    switch (question.kind) {
      case 'load':
        return this.#load(question.path)
      case 'check': {
        const { jsonReport } = await import('@hashrange/model/check')
        return jsonReport(await this.#report(question.model))
      }
      case 'cost':
        return priceOf(await this.#report(question.model), question)
      case 'export': {
        const { exportModel } = await import('./model-formats.ts')
        return await exportModel(this.#model(question.model), question.format)
      }
      case 'set-up': {
        const model = this.#model(question.model)
        const { modelSamples, putRequests, setUpRequests } = await import('@hashrange/model/export')
        return { requests: setUpRequests(model.description), samples: putRequests(modelSamples(model, {})) }
      }
      case 'explain': {
        const { pattern, parameters, found } = question
        return { requests: await explainPattern(this.#model(question.model), pattern, parameters, found) }
      }
      case 'import': {
        const { importModel } = await import('./model-formats.ts')
        return importModel(question.content, question.name)
      }
    }
  }

  async #load(path: string): Promise<readonly DescribedModel[]> {
    this.#models = await loadNamedModels(path)
    return this.#models.map(({ exportName, model }) => ({ exportName, description: model.description }))
  }

  #model(name: string): AnyModel {
    const found = this.#models.find(({ model }) => model.description.name === name)
    if (found === undefined) throw new ApiRefusal(404, 'NoSuchModel', `The file has no model "${name}".`)
    return found.model
  }

  /** What the checker says, once for each model. */
  #report(name: string): Promise<CheckReport> {
    const known = this.#reports.get(name)
    if (known !== undefined) return known
    const report = check(this.#model(name), this.#checkItems)
    this.#reports.set(name, report)
    report.catch(() => this.#reports.delete(name))
    return report
  }
}

async function check(model: AnyModel, maxItems: number | undefined): Promise<CheckReport> {
  const [{ checkModel }, { openTrial }] = await Promise.all([
    import('@hashrange/model/check'),
    import('../../commands/open-trial.ts'),
  ])
  return checkModel(model, { open: openTrial, maxItems })
}

async function priceOf({ model, measurement }: CheckReport, { region, date, utilisation }: CostOptions) {
  const { costOf, findPrices, knownRegions } = await import('@hashrange/model/cost')
  const prices = findPrices(region, date)
  if (prices === undefined) {
    throw new ApiRefusal(
      400,
      'NoPrices',
      `There are no prices for ${region} on ${date}. Regions with prices: ${knownRegions().join(', ')}.`,
    )
  }
  return costOf(model, measurement, {
    prices,
    ...(utilisation !== undefined && { targetUtilisation: utilisation }),
  })
}
