import type { ModelDescription } from '../../description.ts'
import { textOfTemplates } from '../../model/text-of-templates.ts'
import type { ModelMeasurement } from '../measure-model.ts'
import { ModelIndex } from '../model-index.ts'
import { loadKey, partitionLoads } from './partition-loads.ts'
import { ReviewContext } from './review-context.ts'

/** What the busiest key of one kind of partition gets at the declared peak, in units a second. */
export interface BusiestKey {
  /** The table or the index. */
  readonly place: string
  /** The partition key's template. */
  readonly key: string
  readonly readUnits: number
  readonly writeUnits: number
}

/** Where a model will run hot: all kinds of partition that get traffic, whether or not they can take it. */
export function busiestKeys(model: ModelDescription, measurement: ModelMeasurement): readonly BusiestKey[] {
  const keys = new Map<string, BusiestKey>()
  for (const load of partitionLoads(new ReviewContext(new ModelIndex(model), measurement))) {
    const { place, templates, readUnits, writeUnits } = load
    const known = keys.get(loadKey(load)) ?? {
      place: place.name,
      key: textOfTemplates(templates),
      readUnits: 0,
      writeUnits: 0,
    }
    keys.set(loadKey(load), {
      ...known,
      readUnits: known.readUnits + readUnits,
      writeUnits: known.writeUnits + writeUnits,
    })
  }
  return [...keys.values()]
}
