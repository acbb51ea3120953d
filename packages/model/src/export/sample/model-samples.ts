import type { AnyModel } from '../../model/model.ts'
import { codecOf } from '../../schema/codec.ts'
import { sampleData, type SampleItem } from './sample-data.ts'
import type { SampleOptions } from './sample-family.ts'

/** Sample data of a model at hand: as `sampleData`, but what the model computes is computed. */
export function modelSamples(model: AnyModel, options: SampleOptions = {}): SampleItem[] {
  return sampleData(model.description, {
    ...options,
    compute: (entity, attribute, attributes) => {
      const definition = model.definitions.find(({ name }) => name === entity)
      const own = definition?.attributes.get(attribute)
      if (definition === undefined || own?.computed === undefined) return undefined
      const sources = own.computed.from.map((name) => {
        const stored = attributes.get(name)
        const source = definition.attributes.get(name)
        return [name, stored && source && codecOf(source).decode(stored, name)]
      })
      // The model's types have checked that the function takes exactly these.
      const value = own.computed.compute(Object.fromEntries(sources) as never)
      return value === undefined ? undefined : codecOf(own).encode(value, attribute)
    },
  })
}
