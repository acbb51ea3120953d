import { plainText } from '../table-design.ts'
import { Unresolved } from '../unresolved.ts'
import type { References } from './evaluate.ts'
import type { Template } from './template.ts'

/** The stream of a table is known once the table is there. Until then, its table is what matters. */
export function streamReferences(template: Template): References {
  return {
    ref: (name) => template.ref(name),
    attribute: (id, attribute) => {
      if (attribute !== 'StreamArn') return template.attribute(id, attribute)
      const arn = template.attribute(id, 'Arn')
      return arn instanceof Unresolved ? arn : `${plainText(arn)}/stream/latest`
    },
    condition: (name) => template.condition(name),
    mapped: (map, first, second) => template.mapped(map, first, second),
    budget: template.budget,
  }
}
