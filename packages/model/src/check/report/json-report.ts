import type { CheckReport } from '../check-model.ts'
import { busiestKeys } from '../review/busiest-keys.ts'

/** The report for programs. STABLE: fields are added, never renamed or removed, without a new `formatVersion`. */
export function jsonReport({ model, measurement, findings, notJudged }: CheckReport): object {
  const descriptions = new Map(model.patterns.map((pattern) => [pattern.name, pattern]))
  return {
    formatVersion: 1,
    model: model.name,
    seed: measurement.seed,
    items: measurement.items,
    patterns: measurement.patterns.map((measured) => ({
      ...measured,
      budget: descriptions.get(measured.pattern)?.budget ?? {},
      traffic: descriptions.get(measured.pattern)?.traffic ?? {},
    })),
    entities: measurement.entities,
    findings,
    busiestKeys: busiestKeys(model, measurement),
    notJudged,
  }
}
