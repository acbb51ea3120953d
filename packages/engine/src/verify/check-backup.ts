import { backupArn, itemsRange, type BackupDefinition } from '../backups/backup-definition.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { isNoItem } from '../cuts/kept-item.ts'
import { storedHeaderBytes, storedSizeBytes } from '../items/stored-item.ts'
import { backupKey, keySpace, spaceRange } from '../layout/key-space.ts'
import type { Key, MaybePromise, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import type { Fault, FaultPlace } from './finding.ts'
import type { KnownTable } from './known-table.ts'
import { placeOfEntry, placeOfTable } from './place.ts'
import { keyProblems, readStoredItem } from './read-stored-item.ts'
import type { Verification } from './verification.ts'

/** Looks at the items of a backup: that each is one of the table as it was, and that there are as many as it says. */
export async function checkBackup(run: Verification, backup: BackupDefinition): Promise<void> {
  const { items, table } = backup
  // It is being made, or made anew.
  if (backup.status !== 'AVAILABLE') return
  const place: FaultPlace = { ...placeOfTable(table), backup: backupArn(backup) }
  const space = items.kind === 'kept' ? keySpace.keptItem : keySpace.item
  let count = 0
  let bytes = 0
  await run.eachPage(itemsRange(items), (snapshot, page) =>
    whenThere(isStillThere(snapshot, backup), (isThere) => {
      if (!isThere) return 'end'
      return page.flatMap(({ key, value }): readonly Fault[] => {
        // What was put after the backup was asked for is kept as having been no item then.
        if (isNoItem(value)) return []
        count++
        bytes += value.length < storedHeaderBytes ? 0 : storedSizeBytes(value)
        const { stored, problems } = readStoredItem(value)
        const wrong =
          stored === undefined ? problems : [...problems, ...keyProblems(table, space, items.id, key, stored.item)]
        const at = { ...placeOfEntry(table, key, stored?.item), ...place }
        return wrong.map((problem) => ({
          kind: 'backup',
          place: at,
          problem: `An item of the backup is damaged. ${problem}`,
        }))
      })
    }),
  )
  const isThere = await run.store.view((snapshot) => isStillThere(snapshot, backup))
  if (run.stopping.aborted || !isThere) return
  if (count === backup.itemCount && bytes === backup.sizeBytes) return
  const problem = `The backup holds ${count} items of ${bytes} bytes, but says ${backup.itemCount} of ${backup.sizeBytes} bytes.`
  await run.report([{ kind: 'backup', place, problem }])
}

/** What a backup says of itself changes once, when it has become available; then it is another one to us. */
function isStillThere(snapshot: Snapshot, backup: BackupDefinition): MaybePromise<boolean> {
  const { accountId, region, tableName } = backup.table
  return whenThere(snapshot.get(backupKey(accountId, region, tableName, backup.backupId)), (value) => {
    return value?.equals(Buffer.from(JSON.stringify(backup))) === true
  })
}

/** Looks at what is kept of a table's past while something reads it: items as they were, or that there was none. */
export async function checkKeptItems(run: Verification, table: KnownTable): Promise<void> {
  for (const id of keptIdsOf(table.definition)) {
    await run.eachPage(spaceRange(keySpace.keptItem, id), (snapshot, page) =>
      whenThere(table.in(snapshot), (definition) => {
        if (definition === undefined || !keptIdsOf(definition).includes(id)) return 'end'
        return page.flatMap(({ key, value }) => (isNoItem(value) ? [] : keptFaults(definition, id, key, value)))
      }),
    )
  }
}

function keptIdsOf({ cuts = [] }: TableDefinition): readonly number[] {
  return cuts.filter(({ kind }) => kind === 'reading').map(({ id }) => id)
}

function keptFaults(definition: TableDefinition, id: number, key: Key, value: Value): readonly Fault[] {
  const { stored, problems } = readStoredItem(value)
  const wrong =
    stored === undefined
      ? problems
      : [...problems, ...keyProblems(definition, keySpace.keptItem, id, key, stored.item)]
  const place = placeOfEntry(definition, key, stored?.item)
  return wrong.map((problem) => ({
    kind: 'item',
    place,
    problem: `An item of the table's past is damaged. ${problem}`,
  }))
}
