import type { EntityDescription } from '../description.ts'
import type { Work, WorkItems } from './difference.ts'

interface Words {
  readonly readBoth?: string
  readonly writeBoth?: string
  readonly drop?: string
}

/** Adding something to items that exist. */
export function backfillWork(
  entity: EntityDescription,
  action: string,
  words: Words = {},
  items: Partial<WorkItems> = {},
): readonly Work[] {
  return [
    ...deployments(words),
    {
      phase: 'backfill',
      action: `${action}: read all, and update each on the condition that it is unchanged`,
      check: 'A second run changes nothing',
      wayBack: 'Nothing needs to be undone: old code ignores it',
      items: { entity: entity.name, reads: true, writes: 1, ...items },
    },
    verification(entity),
  ]
}

/** Writing items that exist in another form. */
export function rewriteWork(entity: EntityDescription, action: string, words: Words = {}): readonly Work[] {
  return [
    ...deployments(words),
    {
      phase: 'backfill',
      action: `${action}: read all, and update each on the condition that it is unchanged`,
      check: 'A second run changes nothing',
      wayBack: 'Run it the other way round; keep a backup (PITR) until then',
      items: { entity: entity.name, reads: true, writes: 1 },
    },
    verification(entity),
    {
      phase: 'switch',
      action: 'Deploy code that only knows the new form',
      check: 'No errors INVALID_ITEM or UNKNOWN_ENTITY',
      wayBack: 'Deploy the code that knows both',
    },
    ...(words.drop === undefined ? [] : [dropWork(entity, words.drop)]),
  ]
}

/** Copying items to other keys, and deleting them at the old ones. */
export function moveWork(entity: EntityDescription, from: string, to: string): readonly Work[] {
  return [
    ...deployments({
      readBoth: `Deploy code that looks under ${to} first, and under ${from} where nothing is found`,
      writeBoth: `Deploy code that writes both ${from} and ${to}, in one transaction`,
    }),
    {
      phase: 'backfill',
      action: `Copy all ${entity.name} items from ${from} to ${to}, on the condition that nothing is there`,
      check: 'A second run changes nothing',
      wayBack: `Delete the copies under ${to}`,
      items: { entity: entity.name, reads: true, writes: 1 },
    },
    verification(entity),
    {
      phase: 'switch',
      action: `Deploy code that only reads ${to}`,
      check: `No reads of ${from} any more`,
      wayBack: 'Deploy the previous code again: both places are still written',
    },
    {
      phase: 'stop',
      action: `Deploy code that only writes ${to}`,
      check: `The items under ${from} no longer change`,
      wayBack: `Deploy the previous code again, and copy back what has changed meanwhile`,
    },
    dropWork(entity, `Delete all ${entity.name} items under ${from}`),
  ]
}

function deployments({ readBoth, writeBoth }: Words): readonly Work[] {
  const check = 'No server or function runs older code'
  const wayBack = 'Deploy the older code again'
  return [
    ...(readBoth === undefined ? [] : [{ phase: 'read both', action: readBoth, check, wayBack } as const]),
    ...(writeBoth === undefined ? [] : [{ phase: 'write both', action: writeBoth, check, wayBack } as const]),
  ]
}

function verification(entity: EntityDescription): Work {
  return {
    phase: 'verify',
    action: `Read all ${entity.name} items with the new code`,
    check: 'Every item is read, and as many as before',
    wayBack: 'Nothing is changed',
    items: { entity: entity.name, reads: true, writes: 0 },
  }
}

function dropWork(entity: EntityDescription, action: string): Work {
  return {
    phase: 'drop',
    action,
    check: 'A backup from before exists, and no reader asks for it',
    wayBack: 'Restore from the backup: this is the step that cannot be undone',
    items: { entity: entity.name, reads: true, writes: 1 },
  }
}
