import type { AttributeDescription, EntityDescription, ValueDescription } from '../../description.ts'
import { unreachable } from '../../errors.ts'
import type { Finding } from '../finding.ts'
import { formatBytes } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

const itemLimitBytes = 400 * 1024

/** Items that can reach the limit of their size. */
export function reviewItemGrowth(context: ReviewContext): Finding[] {
  return context.model.model.entities.flatMap((entity): Finding[] => {
    const endless = entity.attributes.find(isEndless)
    const where = context.atEntity(entity)
    const largest = largestBytes(context, entity)
    if (largest > itemLimitBytes / 2) {
      return [
        {
          code: 'item-outgrows-limit',
          severity: largest > itemLimitBytes ? 'error' : 'warning',
          where,
          reason: `An item can have ${formatBytes(largest)}; ${largest > itemLimitBytes ? 'writes beyond' : 'not far below'} 400 KB${largest > itemLimitBytes ? ' fail' : ', where writes fail'}, and long before that each read and write of it costs ${Math.ceil(largest / 4096)} read or ${Math.ceil(largest / 1024)} write units.`,
          remedy: `Store the elements as items of their own under the same partition key, or put large values into S3 and keep their address.`,
        },
      ]
    }
    if (endless === undefined || entity.volume.maxItemBytes !== undefined) return []
    return [
      {
        code: 'item-outgrows-limit',
        severity: 'warning',
        where,
        reason: `${endless.name} is a ${endless.type} and nothing says how many elements it can have: an item that collects them grows to 400 KB, where writes fail.`,
        remedy: `Declare its bound with .count(typical, max), or store the elements as items of their own under the same partition key.`,
      },
    ]
  })
}

function isEndless({ type, count }: AttributeDescription): boolean {
  return (type === 'list' || type === 'set' || type === 'record') && count?.max === undefined
}

function largestBytes(context: ReviewContext, entity: EntityDescription): number {
  const growth = entity.attributes.reduce(
    (total, attribute) => total + largestValueBytes(attribute) - typicalValueBytes(attribute),
    0,
  )
  return Math.max(entity.volume.maxItemBytes ?? 0, context.itemBytesOf(entity) + growth)
}

export function typicalValueBytes(value: ValueDescription): number {
  return valueBytes(value, (extent, otherwise) => extent?.typical ?? otherwise)
}

function largestValueBytes(value: ValueDescription): number {
  return valueBytes(value, (extent, otherwise) => extent?.max ?? extent?.typical ?? otherwise)
}

type Choose = (extent: ValueDescription['sizeBytes'], otherwise: number) => number

/** As the model nests, so does this; models are written by hand. */
function valueBytes(value: ValueDescription, choose: Choose): number {
  switch (value.type) {
    case 'string':
      return choose(value.sizeBytes, 12)
    case 'binary':
    case 'any':
      return choose(value.sizeBytes, 32)
    case 'ulid':
      return 26
    case 'uuid':
      return 36
    case 'iso':
      return 24
    case 'list':
    case 'set':
    case 'record':
      return choose(value.count, 3) * (1 + (value.element === undefined ? 32 : valueBytes(value.element, choose)))
    case 'map':
      return (value.fields ?? []).reduce(
        (total, field) => total + field.name.length + 1 + valueBytes(field, choose),
        3,
      )
    case 'number':
    case 'int':
    case 'boolean':
    case 'enum':
    case 'ttl':
    case 'version':
    case 'shard':
      return 6
    default:
      return unreachable(value.type)
  }
}
