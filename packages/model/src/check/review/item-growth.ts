import type { AttributeDescription, EntityDescription, ValueDescription } from '../../description.ts'
import { unreachable } from '../../errors.ts'
import type { Finding } from '../finding.ts'
import { formatBytes } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

const itemLimitBytes = 400 * 1024

/** Items that can reach the limit of their size. */
export function reviewItemGrowth(context: ReviewContext): Finding[] {
  return context.model.model.entities.flatMap((entity): Finding[] => {
    const endless = entity.attributes.find(isEndless) ?? growingAny(context, entity)
    const where = context.atEntity(entity)
    const largest = largestBytes(context, entity)
    if (largest > itemLimitBytes / 2) {
      return [
        {
          code: 'item-outgrows-limit',
          severity: largest > itemLimitBytes ? 'error' : 'warning',
          where,
          reason: `An item can have ${formatBytes(largest)}, ${largest > itemLimitBytes ? 'more than' : 'close to'} the limit of 400 KB, above which writes fail. At that size, each read costs ${Math.ceil(largest / 4096)} read units and each write ${Math.ceil(largest / 1024)} write units.`,
          remedy: `Store the elements as separate items under the same partition key, or put large values in S3 and store their address.`,
        },
      ]
    }
    if (endless === undefined || entity.volume.maxItemBytes !== undefined) return []
    return [
      {
        code: 'item-outgrows-limit',
        severity: 'warning',
        where,
        reason: `${endless.name} ${endless.type === 'any' ? 'can be anything, and the model does not say how large it can be' : `is a ${endless.type}, and the model does not say how many elements it can have`}. An item that keeps growing reaches 400 KB, and writes fail.`,
        remedy: `Declare the maximum with ${endless.type === 'any' ? '.size' : '.count'}(typical, max), or store the elements as separate items under the same partition key.`,
      },
    ]
  })
}

/** A value of any shape that later writes can make larger. */
function growingAny({ model }: ReviewContext, entity: EntityDescription): AttributeDescription | undefined {
  const isChanged = (name: string): boolean =>
    model.model.patterns.some(({ action, entities, changes, steps }) =>
      ['update', 'modify', 'upsert'].includes(action)
        ? entities.includes(entity.name) && changes?.includes(name) !== false
        : steps?.some((step) => step.entity === entity.name && ['update', 'modify'].includes(step.action)) === true,
    )
  return entity.attributes.find(
    ({ name, type, sizeBytes, isStored }) =>
      type === 'any' && isStored && sizeBytes?.max === undefined && isChanged(name),
  )
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
