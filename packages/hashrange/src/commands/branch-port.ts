import type { BranchChange, BranchDefinition } from '@hashrange/engine'
import type { DatabaseBranches } from '../branches/database-branches.ts'
import { branchesPath, savesPath } from '../branches/branch-route.ts'
import { openEngine } from '../open-engine.ts'
import { placeOf } from '../store-place.ts'
import { askServer } from './ask-server.ts'
import { keyOfData } from './key-of-data.ts'
import { Mistake } from '../mistake.ts'
import { readEndpoint } from './read-report.ts'
import { requireData } from './require-data.ts'

type Kind = BranchDefinition['kind']

/** How commands reach the branches and snapshots of a database. */
export interface BranchPort {
  list(kind: Kind): Promise<readonly BranchDefinition[]>
  create(kind: Kind, name: string): Promise<BranchDefinition>
  delete(kind: Kind, name: string): Promise<void>
  restore(name: string | undefined): Promise<BranchDefinition>
  changes(kind: Kind, name: string): AsyncIterable<BranchChange>
  close(): Promise<void>
}

/** Those of a running server, or of a data folder that no server is using. */
export async function openBranchPort(flags: {
  readonly endpoint?: string | undefined
  readonly path?: string | undefined
}): Promise<BranchPort> {
  const { endpoint, path } = flags
  if (endpoint !== undefined && path !== undefined)
    throw new Mistake('--endpoint and --path both name a place. Use only one of them.')
  return path === undefined ? serverPort(readEndpoint(endpoint)) : folderPort(path)
}

interface Page {
  readonly changes: readonly BranchChange[]
  readonly next?: string
}

/** To free much space, or to set back what has changed a lot, takes its time. */
const longestMs = 60 * 60_000

function serverPort(endpoint: string): BranchPort {
  const ask = <T>(
    method: string,
    kind: Kind,
    rest = '',
    query: Record<string, string | undefined> = {},
  ): Promise<T> => {
    const url = new URL(`${endpoint}${kind === 'branch' ? branchesPath : savesPath}${rest}`)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    return askServer<T>(endpoint, { url, method, what: 'branches', timeoutMs: longestMs })
  }
  return {
    list: async (kind) => (await ask<{ branches: readonly BranchDefinition[] }>('GET', kind)).branches,
    create: (kind, name) => ask('POST', kind, '', { name }),
    delete: async (kind, name) => void (await ask('DELETE', kind, '', { name })),
    restore: (name) => ask('POST', 'snapshot', '/restore', { name }),
    changes: (kind, name) => allChanges((from) => ask<Page>('GET', kind, '/changes', { name, from })),
    close: () => Promise.resolve(),
  }
}

async function folderPort(path: string): Promise<BranchPort> {
  requireData({ kind: 'lmdb', path })
  const encryptionKey = keyOfData()
  const opened = await openEngine(placeOf({ path, encryptionKey }), { worksInBackground: false })
  const branches: DatabaseBranches = opened.branches
  return {
    list: (kind) => branches.list(kind),
    create: (kind, name) => (kind === 'branch' ? branches.create(name) : branches.save(name)),
    delete: (kind, name) => branches.delete(kind, name),
    restore: (name) => branches.restore(name),
    changes: (kind, name) => allChanges((from) => branches.changes(kind, name, from)),
    close: () => opened.engine.close(),
  }
}

async function* allChanges(read: (from: string | undefined) => Promise<Page>): AsyncIterable<BranchChange> {
  let from: string | undefined
  do {
    const { changes, next } = await read(from)
    yield* changes
    from = next
  } while (from !== undefined)
}
