import { ServiceError, type Item } from '@hashrange/core'
import { toPlain, type Scope } from '@hashrange/engine'
import type { DaxBackend, DaxTable } from '../dax-backend.ts'
import { ItemCache, itemCacheKey } from '../caches/item-cache.ts'
import { LruCache } from '../caches/lru-cache.ts'
import { AttributeLists } from '../wire/attribute-lists.ts'

export interface DaxCaches {
  /** How long items are kept; 0 until there is no room for them. */
  readonly recordTtlMs: number
  /** How long the results of queries and scans are kept; 0 not at all. */
  readonly queryTtlMs: number
  /** How large each of the two caches may become. */
  readonly cacheBytes: number
}

export const defaultCaches: DaxCaches = {
  recordTtlMs: 300_000,
  queryTtlMs: 300_000,
  cacheBytes: 64 * 1024 * 1024,
}

const target = 'DynamoDB_20120810'

/** One node of a DAX cluster: its caches, and the way to the tables. */
export class DaxNode {
  readonly backend: DaxBackend
  readonly items: ItemCache
  /** Results by the whole request, in the form in which they are sent. */
  readonly queries: LruCache<Buffer>
  readonly keepsQueries: boolean
  readonly lists: AttributeLists
  readonly requests = new Map<string, number>()

  constructor(backend: DaxBackend, { recordTtlMs, queryTtlMs, cacheBytes }: DaxCaches) {
    this.backend = backend
    this.lists = new AttributeLists(backend.keptLists)
    this.keepsQueries = queryTtlMs > 0
    this.items = new ItemCache({ ttlMs: recordTtlMs, maxBytes: cacheBytes, clock: backend.clock })
    this.queries = new LruCache({ ttlMs: queryTtlMs, maxBytes: cacheBytes, clock: backend.clock })
  }

  /** Whose tables are meant; throws if the caller may not do what it asks for. */
  admit(scope: Scope, operation: string, asked: object): Scope {
    const { accountId, region } = this.backend.admit?.(scope, operation, asked) ?? scope
    return { accountId, region }
  }

  /** Carries out an operation. `asked` is what the caller has asked for, and what it must be allowed to do. */
  async execute<T>(scope: Scope, operation: string, body: object, asked = body): Promise<T> {
    const { executor, admit } = this.backend
    const { accountId, region } = scope
    const admitted = admit && (() => admit(scope, operation, asked))
    return toPlain(await executor.execute({ accountId, region }, target, operation, body, admitted)) as T
  }

  /** The same for the node itself, in a scope that was admitted. */
  async executeAsNode<T>(scope: Scope, operation: string, body: object): Promise<T> {
    return toPlain(await this.backend.executor.execute(scope, target, operation, body)) as T
  }

  async tableOf(scope: Scope, tableName: string): Promise<DaxTable> {
    const table = await this.backend.tableOf(scope, tableName)
    if (table === undefined) throw new ServiceError('ResourceNotFoundException', 'Requested resource not found')
    return table
  }

  cacheKey(owner: Scope, table: DaxTable, key: Item): string {
    return itemCacheKey(owner, table.name, key)
  }
}
