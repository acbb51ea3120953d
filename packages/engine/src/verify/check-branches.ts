import { parseBranchList } from '../branches/branch-definition.ts'
import { branchListKey } from '../layout/branch-keys.ts'
import { keySpace } from '../layout/key-space.ts'
import { branchKeyBytes } from '../layout/placement-with-branches.ts'
import { whenThere } from '../store/when-there.ts'
import { firstKey } from './first-key.ts'
import { placeOfKey } from './place.ts'
import type { Verification } from './verification.ts'

/** The spaces of what branches hold. */
export const branchSpaces = [keySpace.branchEntry, keySpace.branchCounter, keySpace.branchMark] as const

/** Nothing may be left of branches that do not exist. Goes from one branch to the next: one step for each. */
export async function checkBranches(run: Verification): Promise<void> {
  for (const space of branchSpaces) {
    let from = Buffer.of(space)
    for (;;) {
      const start = from
      const found = await run.store.view((snapshot) =>
        whenThere(snapshot.get(branchListKey()), (list) =>
          whenThere(firstKey(snapshot, start, Buffer.of(space + 1)), (key) => key && { key, list }),
        ),
      )
      if (found === undefined || run.stopping.aborted) break
      const { key, list } = found
      const id = Buffer.concat([key, Buffer.alloc(branchKeyBytes)]).readUInt32BE(1)
      if (key.length < branchKeyBytes || !parseBranchList(list).branches.some((branch) => branch.id === id)) {
        const problem = `There are entries of the branch ${id}, which does not exist.`
        await run.report([{ kind: 'leftover', place: placeOfKey(key), problem }])
      }
      if (id === 2 ** 32 - 1) break
      from = Buffer.alloc(branchKeyBytes, space)
      from.writeUInt32BE(id + 1, 1)
    }
  }
}
