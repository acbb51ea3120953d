import { Client } from 'pg'

/** Where the coordinator of a Citus cluster finds one of its workers. */
export interface WorkerRoute {
  readonly workerPort: number
  /** Sends the coordinator to another port of this machine. */
  through(port: number): Promise<void>
  /** Sends it to the worker itself again. */
  restore(): Promise<void>
}

export async function routeOfWorker(coordinatorUrl: string): Promise<WorkerRoute> {
  const client = new Client({ connectionString: coordinatorUrl })
  await client.connect()
  const { rows } = await client.query<{ nodeid: number; nodeport: number }>(
    "SELECT nodeid, nodeport FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary' ORDER BY nodeid DESC LIMIT 1",
  )
  const [worker] = rows
  if (worker === undefined) throw new Error('the cluster has no worker')
  const lead = async (port: number): Promise<void> => {
    await client.query('SELECT citus_update_node($1, $2, $3)', [worker.nodeid, '127.0.0.1', port])
    await client.query('SELECT start_metadata_sync_to_all_nodes()')
  }
  // The coordinator learns only by failing that a worker, to which it had a connection, was killed meanwhile.
  const through = (port: number): Promise<void> => lead(port).catch(() => lead(port))
  return {
    workerPort: worker.nodeport,
    through,
    restore: async () => {
      await through(worker.nodeport)
      await client.end()
    },
  }
}
