import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The tests that take longest, longest first. A list that is out of date costs some seconds, and nothing else. */
export const longTests = JSON.parse(
  readFileSync(new URL('long-tests.json', import.meta.url), 'utf8'),
) as readonly string[]

/** The order of a run. What takes long begins first, so that no processor waits at the end for the last one. Vitest itself
 *  knows how long a test took, but not in a fresh clone. The tests of a project stay together: between them a process is
 *  kept. */
export default class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- It is no array that sorts here.
    const sorted = await super.sort(specifications)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted
        .filter((specification) => specification.project === project)
        .toSorted((one, other) => this.#rankOf(one) - this.#rankOf(other)),
    )
  }

  #rankOf({ moduleId }: TestSpecification): number {
    const rank = longTests.indexOf(relative(this.ctx.config.root, moduleId))
    return rank === -1 ? longTests.length : rank
  }
}
