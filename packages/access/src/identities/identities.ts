import type { Clock, RecordSpace, Scope, ServiceHost, Write } from '@hashrange/engine'
import { IdentityBook, type IdentityChange } from './identity-book.ts'
import type { IdentityRecord, KeyUseRecord, NoteRecord } from './identity-records.ts'

/** What a change of identities comes to: the records that change, and the answer. */
export interface IdentityDecision<T> {
  readonly changes: readonly IdentityChange[]
  readonly answer: T
}

/** Where what concerns all accounts is kept. */
const common: Scope = { accountId: 'all', region: 'global' }
const versionParts = ['note', 'version']

/** Identities as the store has them, with a copy in memory that requests are decided by. Every change increments one
 *  number in the store, in the same transaction, and fails if somebody else has changed anything in between. So a
 *  decision may look at all identities, and servers of one store notice changes by reading one number. */
export class Identities {
  readonly #host: ServiceHost
  readonly #records: RecordSpace<IdentityRecord>
  #book = new IdentityBook()
  #isLoaded = false
  #refreshing: Promise<void> | undefined

  constructor(host: ServiceHost) {
    this.#host = host
    this.#records = host.records('identity')
  }

  get book(): IdentityBook {
    return this.#book
  }

  get clock(): Clock {
    return this.#host.clock
  }

  /** Whether other servers may change them. */
  get isShared(): boolean {
    return this.#host.isShared
  }

  /** Learns what other servers have changed. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#load().finally(() => (this.#refreshing = undefined))
    return this.#refreshing
  }

  /** Learns all that others have changed until now: a look that is under way may have begun too early. */
  async refreshFromNow(): Promise<void> {
    await this.#refreshing
    return this.refresh()
  }

  /** Looks at all identities and changes some of them. `decide` may be asked again, with what others have changed. */
  async change<T>(decide: (book: IdentityBook) => IdentityDecision<T>): Promise<T> {
    for (;;) {
      await this.refresh()
      const book = this.#book
      const { version } = book
      const { changes, answer } = decide(book)
      if (changes.length === 0) return answer
      const next = version + 1
      const note: NoteRecord = { kind: 'note', name: 'version', version: next }
      const writes = [
        ...changes.map((change) => this.#write(change)),
        this.#records.put(common, versionParts, note),
      ]
      const isDone = await this.#host.transact([this.#records.key(common, versionParts)], ([value]) =>
        versionOf(this.#records.decode(value)) === version
          ? { writes, answer: true }
          : { writes: [], answer: false },
      )
      if (!isDone) continue
      if (this.#book === book && book.version === version) {
        for (const change of changes) book.apply(change)
        book.version = next
      }
      return answer
    }
  }

  /** Something that is known of all identities together. */
  async note(name: string): Promise<NoteRecord | undefined> {
    const record = await this.#records.get(common, ['note', name])
    return record?.kind === 'note' ? record : undefined
  }

  /** Notes it, unless it is noted already; answers with what is there. */
  async noteOnce(note: NoteRecord): Promise<NoteRecord> {
    const record = await this.#records.change(common, ['note', note.name], (current) => current ?? note)
    if (note.name === 'home' && record?.kind === 'note') this.#book.homeAccountId = record.accountId
    return record?.kind === 'note' ? record : note
  }

  async lastUse(accountId: string, name: string): Promise<KeyUseRecord | undefined> {
    const record = await this.#records.get(scopeOf(accountId), ['use', name])
    return record?.kind === 'use' ? record : undefined
  }

  /** What was used is no change of identities: it is written beside them. */
  async noteUse(accountId: string, use: KeyUseRecord): Promise<void> {
    await this.#records.change(scopeOf(accountId), ['use', use.name], (current) =>
      current?.kind === 'use' && current.atMs >= use.atMs ? current : use,
    )
  }

  async #load(): Promise<void> {
    const known = versionOf(await this.#records.get(common, versionParts))
    if (this.#isLoaded && known === this.#book.version) return
    const book = new IdentityBook()
    // All of it is read from one snapshot, and so the version is that of the rest.
    for (const { scope, record } of await this.#records.all()) {
      if (record.kind === 'note') {
        if (record.name === 'version') book.version = versionOf(record)
        if (record.name === 'home') book.homeAccountId = record.accountId
      } else book.apply({ accountId: scope.accountId, put: record })
    }
    if (this.#isLoaded && book.version < this.#book.version) return
    this.#book = book
    this.#isLoaded = true
  }

  #write(change: IdentityChange): Write {
    const scope = scopeOf(change.accountId)
    if ('put' in change) return this.#records.put(scope, [change.put.kind, change.put.name], change.put)
    return this.#records.delete(scope, [change.remove.kind, change.remove.name])
  }
}

/** Identities are of no region. */
function scopeOf(accountId: string): Scope {
  return { accountId, region: 'global' }
}

function versionOf(record: IdentityRecord | undefined): number {
  return record?.kind === 'note' ? (record.version ?? 0) : 0
}
