import type { Gate } from '@hashrange/access/closed'
import type { Engine } from '@hashrange/engine'
import type { Executor, FindBranch } from '@hashrange/server'
import type { DatabaseBranches } from './database-branches.ts'

/** What carries out the requests of each branch. On a closed server they are let in as those of the data itself are. */
export function branchExecutors(branches: DatabaseBranches, gate?: Gate): FindBranch {
  const guarded = new WeakMap<Engine, Executor>()
  return async (name) => {
    const engine = (await branches.find(name))?.engine
    if (engine === undefined || gate === undefined) return engine
    const executor = guarded.get(engine) ?? gate.guard(engine)
    guarded.set(engine, executor)
    return executor
  }
}
