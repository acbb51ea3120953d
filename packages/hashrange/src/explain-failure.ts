import { StorageError } from '@hashrange/engine'
import type { StartSettings } from './command-line.ts'

/** Why the server did not start, and what to do; nothing if that is for us to find out. */
export function explainFailure(error: unknown, settings: StartSettings): string | undefined {
  if (error instanceof StorageError) return error.message
  const { host, port } = settings
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken. Stop what listens there, or choose another: hashrange start --port ${anotherPort(port)}`
    case 'EACCES':
      return `This user may not listen on port ${port} of ${host}. Choose a port above 1023: hashrange start --port 8000`
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. Choose one that is: hashrange start --host 127.0.0.1`
    default:
      return undefined
  }
}

function anotherPort(port: number): number {
  return port < 65_535 ? port + 1 : 8000
}
