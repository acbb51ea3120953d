import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Missing } from './missing-here.ts'

/** Ends a run with what was skipped, and why, and with the counts alone on the last line. Stands beside a reporter that
 *  shows the failures. */
export default class Report implements Reporter {
  readonly #missing: readonly Missing[]
  readonly #seed: number | undefined

  constructor({ missing = [], seed }: { readonly missing?: readonly Missing[]; readonly seed?: number } = {}) {
    this.#missing = missing
    this.#seed = seed
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = tests.filter((test) => !hasRun(test))
    const failed = countOf(tests, 'failed') + failuresOutsideTests(modules) + unhandledErrors.length
    const lines = skipped.map((test) => `  ${test.fullName}: ${reasonOf(test)}`)
    for (const { what, files, reason } of this.#missing) lines.push(`  ${what}, ${files.length} files: ${reason}`)
    if (lines.length > 0) lines.unshift('Skipped:')
    if (this.#seed !== undefined) lines.push(`Random choices: HASHRANGE_SEED=${this.#seed} repeats them.`)
    const leftOut = this.#missing.reduce((count, { files }) => count + files.length, 0)
    const counts = `${countOf(tests, 'passed')} passed, ${failed} failed, ${skipped.length} skipped`
    lines.push(leftOut === 0 ? counts : `${counts}, ${leftOut} files left out`)
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}

function countOf(tests: readonly TestCase[], state: 'passed' | 'failed'): number {
  return tests.filter((test) => test.result().state === state).length
}

/** A test may also be pending still, where a hook failed or the run was cut short. It did not pass. */
function hasRun(test: TestCase): boolean {
  const { state } = test.result()
  return state === 'passed' || state === 'failed'
}

/** A file that cannot be loaded, or a hook that throws, has no failed test to show for it. */
function failuresOutsideTests(modules: readonly TestModule[]): number {
  return modules
    .flatMap((module) => [module, ...module.children.allSuites()])
    .reduce((count, unit) => count + (unit.errors().length > 0 ? 1 : 0), 0)
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'no reason given'
}
