import { StorageError } from '@hashrange/engine'
import { withAdvice } from '../storage-advice.ts'
import { Mistake } from '../mistake.ts'
import { verify } from './verify.ts'

/** Runs `hashrange verify`, and returns its exit code: 0 if nothing is wrong, 1 if something is, 2 if the check could
 *  not be completed. */
export async function runVerify(words: readonly string[]): Promise<number> {
  try {
    return await verify(words)
  } catch (error) {
    console.error(`hashrange: ${explain(error)}`)
    return 2
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof StorageError && error.code === 'locked') {
    return `${withAdvice(error, 'command')} If a server is using it, let the server verify its own data: hashrange verify --endpoint http://127.0.0.1:8000`
  }
  if (error instanceof StorageError) return withAdvice(error, 'command')
  if (error instanceof Mistake) return error.message
  return error.message === '' ? error.name : error.message
}
