import type { Settings } from '../options.ts'
import type { Dialect } from '../reads/found.ts'
import type { Permission } from '../schema/permission.ts'
import { PartStatements } from './node-parts.ts'
import { WorkerNode, type WorkerNodeOptions } from './worker-node.ts'
import { WorkerNodes } from './worker-nodes.ts'

/** What a node needs of the store, besides what is known of the node. */
type Shared = 'logs' | 'counts' | 'counterSlots' | 'readSession' | 'writeSession' | 'writeWishes'

export interface NewWorkerNodesOptions extends Pick<WorkerNodeOptions, Shared> {
  readonly settings: Settings
  /** That of the coordinator. */
  readonly dialect: Dialect
  readonly permission: Permission
}

export function newWorkerNodes(options: NewWorkerNodesOptions): WorkerNodes {
  const { settings, dialect, permission, ...others } = options
  const { statements, placement } = dialect
  const { connect, schema, poolSize, timeoutMs, patienceMs } = settings
  const parts = new PartStatements(schema)
  return new WorkerNodes({
    connect,
    schema,
    shards: placement.shards,
    placement,
    timeoutMs,
    newNode: (address, map) =>
      new WorkerNode({
        ...others,
        address,
        connect: settings.connectTo({ name: address.host, port: address.port }),
        map,
        keys: settings.placement,
        shards: placement.shards,
        statements,
        parts,
        poolSize,
        answerMs: Math.ceil(timeoutMs * 1.2),
        patienceMs,
        isReached: async (shard) => {
          const client = await connect().catch(() => undefined)
          if (client === undefined) return false
          try {
            await client.query("SELECT set_config('statement_timeout', $1, false)", [String(timeoutMs)])
            await client.query({ text: statements.touch.text, values: [shard] })
            return true
          } catch {
            return false
          } finally {
            void client.end().catch(() => undefined)
          }
        },
        assertMayWrite: () => {
          if (permission.writeRefusal !== undefined) throw permission.writeRefusal
        },
      }),
  })
}
