import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { regionConditionsKey, strongStateKey } from '../layout/replication-keys.ts'
import type { MaybePromise, Snapshot } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { parseConditions } from '../strong/region-conditions.ts'
import { assertServes, strongly } from '../strong/strong-replicas.ts'
import type { Reading } from './reading.ts'

/** Reads items of a table from one snapshot. */
export function viewItems<T>(
  engine: Reading,
  { definition }: Table,
  consistent: boolean,
  read: (snapshot: Snapshot) => MaybePromise<T>,
): MaybePromise<T> {
  if (!consistent || definition.replication === undefined) return engine.view(consistent, read)
  return engine.view(true, (snapshot) => whenThere(assertCurrent(snapshot, definition), () => read(snapshot)))
}

/** With strong consistency between regions, a consistent read is only possible where everything has arrived. The
 *  snapshot itself says whether that is so. */
export function assertCurrent(snapshot: Snapshot, definition: TableDefinition): MaybePromise<void> {
  const replication = strongly(definition)
  if (replication === undefined) return
  const keys = [regionConditionsKey(), strongStateKey(replication.stampsId)]
  return whenThere(snapshot.getMany(keys), ([conditions, state]) =>
    assertServes(definition, parseConditions(conditions), state !== undefined),
  )
}
