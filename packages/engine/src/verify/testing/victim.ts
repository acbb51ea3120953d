import type { TableDefinition } from '../../definitions/table-definition.ts'
import { catalogKey } from '../../layout/key-space.ts'
import { testScope, type TestEngine } from '../../testing/test-engine.ts'
import { openFilledEngine, verified } from './filled-engine.ts'
import type { Key } from '../../store/store.ts'

/** A filled engine that harm is done to. */
export class Victim {
  readonly db: TestEngine

  private constructor(db: TestEngine) {
    this.db = db
  }

  static async open(): Promise<Victim> {
    return new Victim(await openFilledEngine())
  }

  close(): Promise<void> {
    return this.db.close()
  }

  get definitionKey(): Key {
    return catalogKey(testScope.accountId, testScope.region, 'music')
  }

  async definition(): Promise<TableDefinition> {
    const value = await this.db.store.view((snapshot) => snapshot.get(this.definitionKey))
    return JSON.parse(String(value)) as TableDefinition
  }

  /** The bytes that the keys of something of the table `music` begin with: of the table itself, of its expiries, or of the index of
   *  that name. */
  async prefixOf(space: number, of = 'table'): Promise<readonly number[]> {
    const { tableId, localIndexes, globalIndexes, timeToLive } = await this.definition()
    const index = [...localIndexes, ...globalIndexes].find(({ indexName }) => indexName === of)
    const id = of === 'table' ? tableId : of === 'expiries' ? timeToLive?.expiryIndexId : index?.indexId
    const bytes = Buffer.alloc(5)
    bytes.writeUInt8(space)
    bytes.writeUInt32BE(id ?? 0, 1)
    return [...bytes]
  }

  /** The findings, as lines. */
  async found(): Promise<readonly string[]> {
    const { findings } = await verified(this.db)
    return findings.map(({ kind, problem }) => `${kind}: ${problem}`)
  }
}
