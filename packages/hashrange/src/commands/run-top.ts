import { Mistake } from '../mistake.ts'
import { top } from './top.ts'

/** Runs `hashrange top`, and returns its exit code: 1 for a failure, 2 for a mistake. */
export async function runTop(words: readonly string[]): Promise<number> {
  try {
    return await top(words)
  } catch (error) {
    console.error(`hashrange: ${error instanceof Error ? error.message : String(error)}`)
    return error instanceof Mistake ? 2 : 1
  }
}
