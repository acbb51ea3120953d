import type { ModelCommand } from '../model-command.ts'
import { Mistake } from '../mistake.ts'

/** Runs one of the commands about model files, and returns its exit code: 1 for a failure, 2 for a mistake. */
export async function runModelCommand(command: ModelCommand, words: readonly string[]): Promise<number> {
  try {
    switch (command) {
      case 'check':
        return await (await import('./check.ts')).check(words)
      case 'cost':
        return await (await import('./cost.ts')).cost(words)
      case 'coverage':
        return await (await import('./coverage.ts')).coverage(words)
      case 'derive':
        return await (await import('./derive.ts')).derive(words)
      case 'generate':
        return await (await import('./generate.ts')).generate(words)
      case 'infer':
        return await (await import('./infer.ts')).infer(words)
      case 'migrate':
        return await (await import('./migrate.ts')).migrate(words)
      case 'plan':
        return await (await import('./plan.ts')).plan(words)
      case 'init':
        return await (await import('./init.ts')).init(words)
    }
  } catch (error) {
    console.error(`hashrange: ${error instanceof Error ? error.message : String(error)}`)
    return error instanceof Mistake ? 2 : 1
  }
}
