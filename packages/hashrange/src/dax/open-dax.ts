import type { Gate } from '@hashrange/access/closed'
import { DaxServer, type DaxBackend } from '@hashrange/dax'
import { readTableName, type Engine } from '@hashrange/engine'
import type { Authenticate, Logger, TlsOptions } from '@hashrange/server'
import type { DaxSettings } from './dax-flags.ts'
import { KeptAttributeLists } from './kept-attribute-lists.ts'

export interface OpenDaxOptions extends DaxSettings {
  readonly daxPort: number
  readonly host: string
  readonly tls?: TlsOptions | undefined
  /** Of a closed server. */
  readonly gate?: Gate | undefined
  /** Of an open one. */
  readonly authenticate: Authenticate
  readonly logger: Logger
}

/** Serves DAX before an engine. Who has no DAX does not load this. */
export function openDax(engine: Engine, options: OpenDaxOptions): Promise<DaxServer> {
  const { daxPort, daxRecordTtlMs, daxQueryTtlMs, daxCacheMb, host, tls, logger } = options
  return DaxServer.listen(backendOf(engine, options), {
    host,
    port: daxPort,
    tls,
    recordTtlMs: daxRecordTtlMs,
    queryTtlMs: daxQueryTtlMs,
    cacheBytes: daxCacheMb === undefined ? undefined : daxCacheMb * 1024 * 1024,
    logger,
  })
}

function backendOf(engine: Engine, { gate, authenticate }: OpenDaxOptions): DaxBackend {
  return {
    executor: engine,
    clock: engine.clock,
    keptLists: new KeptAttributeLists(engine.store),
    authenticate: gate === undefined ? authenticate : (request, service) => gate.authenticate(request, service),
    admit: gate && ((scope, operation, body) => gate.admit(scope, 'DynamoDB_20120810', operation, body)),
    async tableOf(scope, tableName) {
      const name = readTableName(scope, tableName)
      let definition = engine.catalog.find(scope, name)?.definition
      if (definition === undefined && engine.catalog.isShared) {
        // Another server may have made it.
        await engine.refresh()
        definition = engine.catalog.find(scope, name)?.definition
      }
      if (definition === undefined) return undefined
      const { keySchema, attributeTypes } = definition
      const keys = [...keySchema.hash, ...keySchema.range]
      return { name, keys: keys.map((key) => ({ name: key, type: attributeTypes[key] ?? 'S' })) }
    },
  }
}
