import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import { ModelError } from '../errors.ts'
import type { DerivedRuntime } from './derived-runtime.ts'
import { each } from './each.ts'
import { StaleRead } from './ledger.ts'
import { keyFromValues, keyValues, readMark, sourceId, sourceOf, type Mark } from './mark.ts'
import type { ContributionChange } from './plan-contributions.ts'

const mostAttempts = 20

/** Makes marks say what their source items contribute now, in an epoch: both of those marks that were found, and of those that
 *  source items lack. Returns how many were written.
 *
 *  The mark is read first. So the item is at least as new as the change that the mark names; changes that come after are
 *  delivered to the handler, which finds in the mark what was counted. */
export async function recount(
  runtime: DerivedRuntime,
  items: readonly { readonly entity: EntityRuntime; readonly stored: StoredItem }[],
  epoch: number,
): Promise<number> {
  const { marks } = runtime
  if (marks === undefined) return 0
  const known = new Map<string, Mark | undefined>()
  const sources: string[] = []
  for (const { entity, stored } of items) {
    if (entity !== marks) sources.push(sourceId(entity, stored))
    else if (stored['state'] === undefined && stored['source']?.S !== undefined)
      known.set(stored['source'].S, readMark(stored))
  }
  // Items whose marks are elsewhere are counted when their mark is found.
  await each(sources, async (source) => {
    if (!known.has(source) && (await readMarkOf(runtime, marks, source)) === undefined) known.set(source, undefined)
  })
  let waiting = [...known].filter(([, mark]) => mark === undefined || mark.epoch < epoch)
  let written = 0
  for (let attempt = 1; waiting.length > 0; attempt++) {
    if (attempt > mostAttempts)
      throw new ModelError(
        'CONFLICT',
        `Other writers kept changing ${waiting[0]?.[0] ?? ''}. Run the rebuild again to continue.`,
      )
    const changes = await changesOf(runtime, waiting, epoch)
    const failed = (await runtime.ledger?.apply(changes, runtime.meter, new Map(waiting))) ?? []
    for (const { error } of failed) if (!(error instanceof StaleRead)) throw error
    written += changes.length - failed.length
    waiting = []
    await each(failed, async ({ change: { source } }) => {
      const mark = await readMarkOf(runtime, marks, source)
      if (mark === undefined || mark.epoch < epoch) waiting.push([source, mark])
    })
  }
  return written
}

async function changesOf(
  runtime: DerivedRuntime,
  marks: readonly (readonly [string, Mark | undefined])[],
  epoch: number,
): Promise<readonly ContributionChange[]> {
  const changes: ContributionChange[] = []
  await each(marks, async ([source, mark]) => {
    const { entity: name, key } = sourceOf(source)
    const entity = runtime.entities.get(name)
    const stored = entity && (await runtime.read(entity, keyFromValues(entity, key)))
    const isStill = entity && stored && runtime.kinds.of(entity.table, stored) === name
    const desired = entity === undefined || isStill !== true ? [] : runtime.contributions(entity, stored)
    // The mark of an item that is gone, or that counts for nothing, may stay as it is.
    if (desired.length === 0 && (mark?.contributions ?? []).length === 0) return
    changes.push({ source, position: undefined, assumed: mark?.contributions ?? [], desired, epoch })
  })
  return changes
}

async function readMarkOf(
  runtime: DerivedRuntime,
  marks: EntityRuntime,
  source: string,
): Promise<Mark | undefined> {
  const item = await runtime.read(marks, marks.keyOf({ source }))
  return item === undefined ? undefined : readMark(item)
}

/** The key of an item in its table. */
export function ownKey(entity: EntityRuntime, stored: StoredItem): StoredItem {
  return keyFromValues(entity, keyValues(entity, stored))
}
