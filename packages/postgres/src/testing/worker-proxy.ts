import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Client } from 'pg'

/** Stands between the coordinator of a Citus cluster and one of its workers, and can cut the connections. */
export interface WorkerProxy {
  /** Cuts the connection on which a message contains the words, before the worker sees it, and lets nobody connect
   *  until `heal`. */
  cutAt(words: string): void
  /** Cuts all connections, and lets nobody connect until `heal`. */
  cut(): void
  heal(): void
  close(): Promise<void>
}

export async function proxyWorker(coordinatorUrl: string): Promise<WorkerProxy> {
  const client = new Client({ connectionString: coordinatorUrl })
  await client.connect()
  const { rows } = await client.query<{ nodeid: number; nodeport: number }>(
    "SELECT nodeid, nodeport FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary' ORDER BY nodeid DESC LIMIT 1",
  )
  const [worker] = rows
  if (worker === undefined) throw new Error('the cluster has no worker')
  const sockets = new Set<Socket>()
  let isCut = false
  let words: string | undefined
  const cut = (): void => {
    isCut = true
    words = undefined
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy()
      return
    }
    const upstream = connect(worker.nodeport, '127.0.0.1')
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    socket.on('data', (chunk) => {
      if (words !== undefined && chunk.includes(words)) cut()
      else upstream.write(chunk)
    })
    upstream.on('data', (chunk) => socket.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const route = async (to: number): Promise<void> => {
    await client.query('SELECT citus_update_node($1, $2, $3)', [worker.nodeid, '127.0.0.1', to])
    await client.query('SELECT start_metadata_sync_to_all_nodes()')
  }
  await route(port)
  return {
    cutAt: (some) => (words = some),
    cut,
    heal: () => (isCut = false),
    close: async () => {
      isCut = false
      await route(worker.nodeport)
      await client.end()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
