import { StorageError } from '@hashrange/engine'
import { withAdvice } from './storage-advice.ts'

/** Why `open` failed, for a program: it has options and no flags, and it may itself be the process that uses its
 *  folder. */
export function explainOpening(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error
  const { code, cause, problem } = error
  const message =
    problem?.kind === 'folder-in-use' && problem.processId === process.pid
      ? `The data folder ${problem.folder} is already open in this process. Use that database, or close it first.`
      : withAdvice(error, 'program')
  // The advice is part of the message: callers add none.
  return new StorageError(code, message, cause)
}
