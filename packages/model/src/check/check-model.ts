import type { ModelDescription } from '../description.ts'
import type { Finding } from './finding.ts'
import {
  descriptionOf,
  measureModel,
  type CheckedModel,
  type MeasureOptions,
  type ModelMeasurement,
} from './measure-model.ts'
import { ModelIndex } from './model-index.ts'
import { notJudged, type NotJudged } from './not-judged.ts'
import { reviewModel } from './review-model.ts'

/** What the checker found out about a model. */
export interface CheckReport {
  readonly model: ModelDescription
  readonly measurement: ModelMeasurement
  readonly findings: readonly Finding[]
  /** What could not be judged, and why. */
  readonly notJudged: readonly NotJudged[]
}

/** Checks a model: makes its tables in an empty database, fills them with generated data, runs every pattern and reviews the
 *  design.
 *
 *      const report = await checkModel(shop, { open })
 */
export async function checkModel(subject: CheckedModel, options: MeasureOptions): Promise<CheckReport> {
  const model = descriptionOf(subject)
  const measurement = await measureModel(subject, options)
  const findings = reviewModel(new ModelIndex(model), measurement)
  return { model, measurement, findings, notJudged: notJudged(model, measurement) }
}

/** Whether a checked build should fail: errors fail it, and so do warnings in strict mode. */
export function isAcceptable({ findings }: Pick<CheckReport, 'findings'>, isStrict: boolean): boolean {
  return !findings.some(({ severity }) => severity === 'error' || (isStrict && severity === 'warning'))
}
