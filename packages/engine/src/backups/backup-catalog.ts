import { purgeMark } from '../catalog/leftovers.ts'
import { SeenVersion } from '../catalog/seen-version.ts'
import type { Transactor } from '../store/transactor.ts'
import { withinQuotas } from '../catalog/within-quotas.ts'
import { backupKey, backupRange, catalogVersionKey, purgeKey } from '../layout/key-space.ts'
import type { Scope } from '../scope.ts'
import { decodeCounters } from '../store/counters.ts'
import type { Snapshot, Store, Value, Write } from '../store/store.ts'
import type { BackupDefinition } from './backup-definition.ts'

/** The existing backups. Kept in memory and written through to the store. If other servers share the store, the
 *  memory is correct as of the last `refresh`. */
export class BackupCatalog {
  readonly #store: Store
  #backups = new Map<string, BackupDefinition>()
  /** The catalog's, as of the last refresh. */
  readonly #version: SeenVersion
  /** Increases with each change that this server makes. */
  #ownChanges = 0

  private constructor(store: Store) {
    this.#store = store
    this.#version = new SeenVersion(store)
  }

  static async load(store: Store): Promise<BackupCatalog> {
    const catalog = new BackupCatalog(store)
    await catalog.#read()
    return catalog
  }

  /** Reads what other servers have changed. */
  async refresh(): Promise<void> {
    if (this.#store.shared !== true || (await this.#version.isCurrent())) return
    await this.#read()
  }

  /** Reads everything again, after the data was replaced under this catalog. */
  reload(): Promise<void> {
    return this.#read()
  }

  find({ accountId, region }: Scope, tableName: string, backupId: string): BackupDefinition | undefined {
    return this.#backups.get(nameOf(accountId, region, tableName, backupId))
  }

  /** Of one account and region, in the order they were requested. */
  list({ accountId, region }: Scope): readonly BackupDefinition[] {
    return [...this.#backups.values()]
      .filter(({ table }) => table.accountId === accountId && table.region === region)
      .toSorted(inOrder)
  }

  all(): Iterable<BackupDefinition> {
    return [...this.#backups.values()]
  }

  async put(backup: BackupDefinition, through: Transactor = this.#store): Promise<void> {
    await through.transact([], () => ({ writes: [writeOf(backup), ...this.#news()], answer: undefined }))
    this.remember(backup)
  }

  /** As it is in the store: its progress may not be known here yet. */
  async stored({ backupId, table }: BackupDefinition): Promise<BackupDefinition | undefined> {
    const { accountId, region, tableName } = table
    const key = backupKey(accountId, region, tableName, backupId)
    const value = await this.#store.view((snapshot) => snapshot.get(key))
    return value && parse(value)
  }

  /** Records how far the items of a backup have been copied, together with the items. Other servers are notified at
   *  the end. */
  async advance(backup: BackupDefinition, copies: readonly Write[], through: Transactor): Promise<void> {
    await through.transact([], () => ({ writes: [...copies, writeOf(backup)], answer: undefined }))
    this.remember(backup)
  }

  /** For a backup that somebody else has stored, with `writeOf`. */
  remember(backup: BackupDefinition): void {
    const { accountId, region, tableName } = backup.table
    this.#backups.set(nameOf(accountId, region, tableName, backup.backupId), backup)
    this.#ownChanges++
  }

  /** Removes a backup and marks its items for removal. */
  async remove(backup: BackupDefinition): Promise<void> {
    const { items, backupId, table } = backup
    const { accountId, region, tableName } = table
    const mark = purgeMark(items.kind === 'kept' ? 'index' : 'table')
    await this.#store.transact([], () => ({
      writes: [
        { kind: 'delete', key: backupKey(accountId, region, tableName, backupId) },
        { kind: 'put', key: purgeKey(items.id), value: mark },
        ...this.#news(),
      ],
      answer: undefined,
    }))
    this.#backups.delete(nameOf(accountId, region, tableName, backupId))
    this.#ownChanges++
  }

  async #read(): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const ownChanges = this.#ownChanges
      const startedAtMs = performance.now()
      const read = await this.#store.view((snapshot) => readBackups(snapshot))
      // Changes that this server makes meanwhile may be missing from what was read. If that keeps happening, the next
      // refresh is enough.
      if (ownChanges !== this.#ownChanges) continue
      this.#backups = read.backups
      this.#version.note(read.version, startedAtMs)
      return
    }
  }

  #news(): readonly Write[] {
    return this.#store.shared === true ? [{ kind: 'add', key: catalogVersionKey(), amounts: [1] }] : []
  }
}

async function readBackups(
  snapshot: Snapshot,
): Promise<{ readonly version: number; readonly backups: Map<string, BackupDefinition> }> {
  const [version = 0] = decodeCounters(await snapshot.get(catalogVersionKey()))
  const backups = new Map<string, BackupDefinition>()
  await snapshot.range(backupRange(), (_key, value) => {
    const backup = parse(value)
    const { accountId, region, tableName } = backup.table
    backups.set(nameOf(accountId, region, tableName, backup.backupId), {
      ...backup,
      table: withinQuotas(backup.table),
    })
    return true
  })
  return { version, backups }
}

function parse(value: Value): BackupDefinition {
  return JSON.parse(value.toString('utf8')) as BackupDefinition
}

export function writeOf(backup: BackupDefinition): Write {
  const { accountId, region, tableName } = backup.table
  return {
    kind: 'put',
    key: backupKey(accountId, region, tableName, backup.backupId),
    value: Buffer.from(JSON.stringify(backup)),
  }
}

/** Identifiers start with the time, but those of one millisecond may belong to several tables. */
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
