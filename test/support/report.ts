import type { Reporter, TestCase, TestModule } from 'vitest/node'
import './requirement.ts'

/** Ends a run with what was skipped, and why, and with the counts alone on the last line. Stands beside a reporter that
 *  shows the failures. */
export default class Report implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const skipped: TestCase[] = []
    for (const module of modules) {
      // A file that cannot be loaded has no tests to fail.
      if (module.errors().length > 0) counts.failed += 1
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        // What never ran, because a hook failed or the run was cut short, did not pass.
        counts[state === 'pending' ? 'skipped' : state] += 1
        if (state === 'skipped' || state === 'pending') skipped.push(test)
      }
    }
    counts.failed += unhandledErrors.length
    const lines = skipped.map((test) => `  ${test.fullName}: ${reasonOf(test)}`)
    if (lines.length > 0) lines.unshift('Skipped:')
    lines.push(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}

function reasonOf(test: TestCase): string {
  return test.meta().skipReason ?? 'no reason given'
}
