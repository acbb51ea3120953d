import type { AttributeDescription, EntityDescription } from '../description.ts'
import { isSpared } from './changed-form.ts'
import type { Difference } from './difference.ts'
import { backfillWork } from './usual-work.ts'

export function addedAttribute(entity: EntityDescription, attribute: AttributeDescription): Difference {
  const what = `${entity.name}.${attribute.name}`
  const change = 'is new'
  if (attribute.type === 'version') return changedVersion(entity, attribute, change)
  if (isSpared(attribute)) {
    const reason = 'Items without it are read with its default, or without it.'
    return { what, kind: 'compatible', change, reason, work: [] }
  }
  return {
    what,
    kind: 'unsafe',
    change: 'is new and required',
    reason: `Items that exist lack it, and so do those that old code still writes: new code cannot read them (INVALID_ITEM).`,
    work: [
      ...backfillWork(entity, `Set ${attribute.name} in all ${entity.name} items that lack it`, {
        readBoth: `Deploy ${attribute.name} as .optional(), and write it from now on`,
      }),
      {
        phase: 'switch',
        action: `Deploy ${attribute.name} as required`,
        check: `No item lacks it: count with a filter attribute_not_exists(${attribute.name})`,
        wayBack: `Deploy it as .optional() again`,
      },
    ],
  }
}

export function removedAttribute(entity: EntityDescription, attribute: AttributeDescription): Difference {
  const what = `${entity.name}.${attribute.name}`
  if (attribute.type === 'version') return changedVersion(entity, attribute, 'is gone')
  if (isSpared(attribute)) {
    const reason = 'New code ignores it in items that have it, and old code can do without it.'
    return { what, kind: 'compatible', change: 'is gone', reason, work: [] }
  }
  return {
    what,
    kind: 'unsafe',
    change: 'is gone, and was required',
    reason: 'Old code cannot read what new code writes without it (INVALID_ITEM).',
    work: [
      {
        phase: 'read both',
        action: `Deploy ${attribute.name} as .optional() first, everywhere`,
        check: 'No server or function runs older code',
        wayBack: 'Deploy the older code again',
      },
      {
        phase: 'stop',
        action: `Deploy code without ${attribute.name}`,
        check: 'No errors INVALID_ITEM',
        wayBack: `Deploy the previous code again; items written meanwhile lack ${attribute.name}`,
      },
    ],
  }
}

/** Versions only tell what has changed if every writer counts them. */
function changedVersion(entity: EntityDescription, { name }: AttributeDescription, change: string): Difference {
  return {
    what: `${entity.name}.${name}`,
    kind: 'unsafe',
    change,
    reason:
      'Only code of one version counts changes. It does not notice changes by the other version, and may overwrite them.',
    work: [
      {
        phase: 'switch',
        action: `Do not rely on ${name} while both versions run: use conditions (if) or modify until then`,
        check: 'No server or function runs older code',
        wayBack: 'Deploy the older code again',
      },
    ],
  }
}
