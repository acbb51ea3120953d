import { createHash } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import { keySpace } from '../layout/key-space.ts'
import { transferJobKey, transferJobRange, transferTokenKey } from '../layout/transfer-keys.ts'
import type { Transactor } from '../store/transactor.ts'
import type { Scope } from '../scope.ts'
import type { Key, Store, Value, Write } from '../store/store.ts'
import type { StoreClock } from '../time/store-clock.ts'
import { jobsKeptMs, tokenMs, type TransferJob } from './transfer-job.ts'

/** ON DISK as JSON. */
interface StoredToken {
  readonly id: string
  /** Of the request that the token came with. */
  readonly digest: string
  /** In steady time. */
  readonly expiresAtMs: number
}

export interface JobPage<Job> {
  readonly jobs: readonly Job[]
  /** Where the next page begins, if there is one. */
  readonly next?: string
}

/** The current and past exports, or imports. */
export class JobStore<Job extends TransferJob> {
  readonly #store: Store
  readonly #clock: StoreClock
  readonly #kind: 'export' | 'import'

  constructor(store: Store, clock: StoreClock, kind: 'export' | 'import') {
    this.#store = store
    this.#clock = clock
    this.#kind = kind
  }

  /** Adds a job, unless its client's token already belongs to one: then that is returned. */
  async add(job: Job, request: unknown): Promise<{ readonly job: Job; readonly isNew: boolean }> {
    const token = this.#tokenKey(job)
    const digest = digestOf(JSON.stringify(request))
    const keys = token === undefined ? [] : [token]
    const expiredByMs = this.#clock.ago(tokenMs) + tokenMs
    const expiresAtMs = this.#clock.steady() + tokenMs
    const known = await this.#store.transact(keys, ([value]) => {
      const stored = value === undefined ? undefined : parse<StoredToken>(value)
      if (stored !== undefined && stored.expiresAtMs > expiredByMs) {
        if (stored.digest !== digest) throw this.#conflict()
        return { writes: [], answer: stored.id }
      }
      const writes: Write[] = [{ kind: 'put', key: this.#key(job, job.id), value: encode(job) }]
      if (token !== undefined) {
        const remembered: StoredToken = { id: job.id, digest, expiresAtMs }
        writes.push({ kind: 'put', key: token, value: encode(remembered) })
      }
      return { writes, answer: undefined }
    })
    if (known === undefined) return { job, isNew: true }
    const found = await this.get(job, known)
    if (found === undefined) throw this.#conflict()
    return { job: found, isNew: false }
  }

  async replace(job: Job, through: Transactor = this.#store): Promise<void> {
    await write(through, [this.writeOf(job)])
  }

  /** For replacing a job together with something else. */
  writeOf(job: Job): Write {
    return { kind: 'put', key: this.#key(job, job.id), value: encode(job) }
  }

  /** As if it had never been requested: its client's token can be used again. */
  async remove(job: Job): Promise<void> {
    const token = this.#tokenKey(job)
    await write(this.#store, [
      { kind: 'delete', key: this.#key(job, job.id) },
      ...(token === undefined ? [] : [{ kind: 'delete' as const, key: token }]),
    ])
  }

  async get(scope: Scope, id: string): Promise<Job | undefined> {
    // Longer identifiers were never issued, and might not fit into a key.
    if (id.length > 64) return undefined
    const value = await this.#store.view((snapshot) => snapshot.get(this.#key(scope, id)))
    return value === undefined ? undefined : parse<Job>(value)
  }

  /** The newest first. */
  async page(
    scope: Scope,
    { tableName, before, limit }: { tableName: string | undefined; before: string | undefined; limit: number },
    nowMs: number,
  ): Promise<JobPage<Job>> {
    const jobs: Job[] = []
    const from = this.#key(scope, String(Math.max(0, nowMs - jobsKeptMs)).padStart(14, '0'))
    const to = this.#key(scope, before ?? '~')
    await this.#store.view((snapshot) =>
      snapshot.range({ from, to, reverse: true }, (_key, value) => {
        const job = parse<Job>(value)
        if (tableName === undefined || job.tableName === tableName) jobs.push(job)
        return jobs.length <= limit
      }),
    )
    const last = jobs[limit - 1]
    return jobs.length > limit && last !== undefined ? { jobs: jobs.slice(0, limit), next: last.id } : { jobs }
  }

  async all(): Promise<readonly Job[]> {
    const jobs: Job[] = []
    const space = this.#kind === 'export' ? keySpace.exportJob : keySpace.importJob
    await this.#store.view((snapshot) =>
      snapshot.range(transferJobRange(space), (_key, value) => {
        jobs.push(parse<Job>(value))
        return true
      }),
    )
    return jobs
  }

  #key({ accountId, region }: Scope, id: string): Key {
    const space = this.#kind === 'export' ? keySpace.exportJob : keySpace.importJob
    return transferJobKey(space, accountId, region, id)
  }

  #tokenKey({ accountId, region, clientToken }: Job): Key | undefined {
    if (clientToken === undefined) return undefined
    const space = this.#kind === 'export' ? keySpace.exportToken : keySpace.importToken
    return transferTokenKey(space, accountId, region, digestOf(clientToken))
  }

  #conflict(): ServiceError {
    const code = this.#kind === 'export' ? 'ExportConflictException' : 'ImportConflictException'
    return new ServiceError(code, 'Duplicate request detected')
  }
}

async function write(through: Transactor, writes: readonly Write[]): Promise<void> {
  await through.transact([], () => ({ writes, answer: undefined }))
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function encode(value: unknown): Value {
  return Buffer.from(JSON.stringify(value))
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function parse<T>(value: Value): T {
  const parsed: T = JSON.parse(Buffer.from(value).toString('utf8'))
  return parsed
}
