import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { routeOfWorker } from './route-worker.ts'

/** Stands before a database, and can cut the connections. */
export interface PortProxy {
  readonly port: number
  /** Cuts the connection on which a message contains the words, before the worker sees it, and lets nobody connect
   *  until `heal`. */
  cutAt(words: string): void
  /** Cuts all connections, and lets nobody connect until `heal`. */
  cut(): void
  /** Lets nothing through in either direction, and closes nothing, until `heal`. */
  silence(): void
  heal(): void
  close(): Promise<void>
}

/** Between the coordinator of a Citus cluster and one of its workers. */
export async function proxyWorker(coordinatorUrl: string): Promise<PortProxy> {
  const route = await routeOfWorker(coordinatorUrl)
  const proxy = await proxyPort(route.workerPort)
  await route.through(proxy.port)
  return {
    ...proxy,
    close: async () => {
      proxy.heal()
      await route.restore()
      await proxy.close()
    },
  }
}

export async function proxyPort(targetPort: number): Promise<PortProxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
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
    const upstream = connect(targetPort, '127.0.0.1')
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
    if (isSilent) for (const one of [socket, upstream]) one.pause()
    socket.on('data', (chunk) => {
      if (words !== undefined && chunk.includes(words)) cut()
      else upstream.write(chunk)
    })
    upstream.on('data', (chunk) => socket.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    cutAt: (some) => (words = some),
    cut,
    silence: () => {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    heal: () => {
      isCut = false
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
