import { purgeMark } from '../catalog/catalog.ts'
import { backupKey, backupRange, purgeKey } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import type { Store, Write } from '../store/store.ts'
import type { BackupDefinition } from './backup-definition.ts'

/** The backups there are. Kept in memory, written through to the store. */
export class BackupCatalog {
  readonly #store: Store
  readonly #backups = new Map<string, BackupDefinition>()

  private constructor(store: Store) {
    this.#store = store
  }

  static async load(store: Store): Promise<BackupCatalog> {
    const catalog = new BackupCatalog(store)
    await store.view((snapshot) =>
      snapshot.range(backupRange(), (_key, value) => {
        catalog.remember(JSON.parse(Buffer.from(value).toString('utf8')) as BackupDefinition)
        return true
      }),
    )
    return catalog
  }

  find({ accountId, region }: Scope, tableName: string, backupId: string): BackupDefinition | undefined {
    return this.#backups.get(nameOf(accountId, region, tableName, backupId))
  }

  /** Of one account and region, in the order they were asked for. */
  list({ accountId, region }: Scope): readonly BackupDefinition[] {
    return [...this.#backups.values()]
      .filter(({ table }) => table.accountId === accountId && table.region === region)
      .toSorted(inOrder)
  }

  all(): Iterable<BackupDefinition> {
    return this.#backups.values()
  }

  async put(backup: BackupDefinition, together: readonly Write[] = []): Promise<void> {
    await this.#store.transact([], () => ({ writes: [...together, writeOf(backup)], answer: undefined }))
    this.remember(backup)
  }

  /** For a backup that somebody else has stored, with `writeOf`. */
  remember(backup: BackupDefinition): void {
    const { accountId, region, tableName } = backup.table
    this.#backups.set(nameOf(accountId, region, tableName, backup.backupId), backup)
  }

  /** Forgets a backup and marks its items for removal. */
  async remove(backup: BackupDefinition): Promise<void> {
    const { items, backupId, table } = backup
    const { accountId, region, tableName } = table
    const mark = purgeMark(items.kind === 'kept' ? 'index' : 'table')
    await this.#store.transact([], () => ({
      writes: [
        { kind: 'delete', key: backupKey(accountId, region, tableName, backupId) },
        { kind: 'put', key: purgeKey(items.id), value: mark },
      ],
      answer: undefined,
    }))
    this.#backups.delete(nameOf(accountId, region, tableName, backupId))
  }
}

export function writeOf(backup: BackupDefinition): Write {
  const { accountId, region, tableName } = backup.table
  return {
    kind: 'put',
    key: backupKey(accountId, region, tableName, backup.backupId),
    value: Buffer.from(JSON.stringify(backup)),
  }
}

/** Identifiers begin with the time, but those of one millisecond may belong to several tables. */
export function inOrder(one: BackupPlace, other: BackupPlace): number {
  const a = placeOf(one)
  const b = placeOf(other)
  return a < b ? -1 : a > b ? 1 : 0
}

export interface BackupPlace {
  readonly backupId: string
  readonly table: { readonly tableName: string }
}

function placeOf({ backupId, table }: BackupPlace): string {
  return `${backupId}/${table.tableName}`
}

function nameOf(accountId: string, region: string, tableName: string, backupId: string): string {
  return `${accountId}/${region}/${tableName}/${backupId}`
}
