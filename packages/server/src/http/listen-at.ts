import type { Server } from 'node:net'

/** Rejects with the system's error (`code: 'EADDRINUSE'`, …) if the address is not available. Accepting can fail later, for
 *  example with too many open files: that connection is lost, the server is not. */
export function listenAt(
  server: Server,
  address: { readonly host: string; readonly port: number },
  onLaterFailure: (error: Error) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...address, backlog: 1024 }, () => {
      server.off('error', reject)
      server.on('error', onLaterFailure)
      resolve()
    })
  })
}
