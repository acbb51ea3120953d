import { BranchError, type BranchDefinition } from '@hashrange/engine'
import { readTarget, type HttpResponse, type Route } from '@hashrange/server'
import { json, refusal } from '../local-answers.ts'
import { NothingSaved, type DatabaseBranches } from './database-branches.ts'

export const branchesPath = '/_hashrange/branches'
export const savesPath = '/_hashrange/saves'

/** How `hashrange branch`, `hashrange snapshot` and `hashrange reset` reach a running server:
 *
 *      GET    /_hashrange/branches                      the branches
 *      POST   /_hashrange/branches?name=…               makes one
 *      DELETE /_hashrange/branches?name=…               deletes it
 *      GET    /_hashrange/branches/changes?name=…       what it has changed; more with from=…
 *
 *  The same below /_hashrange/saves for snapshots, and
 *
 *      POST   /_hashrange/saves/restore?name=…          sets everything back; to the last snapshot without a name
 *
 *  Programs may ask, pages may not. */
export function branchRoute(branches: DatabaseBranches): Route {
  return async (request) => {
    const { path, query } = readTarget(request.target)
    const root = [branchesPath, savesPath].find((known) => path === known || path.startsWith(`${known}/`))
    if (root === undefined) return undefined
    if (request.origin !== undefined) return refusal(403, 'Web pages are not allowed to use this.')
    const kind = root === branchesPath ? 'branch' : 'snapshot'
    const action = `${request.method} ${path.slice(root.length)}`
    try {
      return await answer(branches, kind, action, query)
    } catch (error) {
      if (error instanceof BranchError || error instanceof NothingSaved) return refusal(409, error.message)
      throw error
    }
  }
}

async function answer(
  branches: DatabaseBranches,
  kind: BranchDefinition['kind'],
  action: string,
  query: URLSearchParams,
): Promise<HttpResponse> {
  const name = query.get('name') ?? undefined
  if (action === 'GET ') return json(200, { branches: await branches.list(kind) })
  if (action === 'POST /restore' && kind === 'snapshot') return json(200, await branches.restore(name))
  if (name === undefined) return refusal(400, 'Give a name, such as ?name=try-this.')
  switch (action) {
    case 'POST ': {
      const branch = await (kind === 'branch' ? branches.create(name) : branches.save(name))
      return json(200, branch)
    }
    case 'DELETE ':
      await branches.delete(kind, name)
      return json(200, {})
    case 'GET /changes':
      return json(200, await branches.changes(kind, name, query.get('from') ?? undefined))
    default:
      return refusal(405, 'Use GET, POST or DELETE.', { Allow: 'GET, POST, DELETE' })
  }
}
