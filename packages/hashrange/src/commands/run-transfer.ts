import { BucketError, StorageError } from '@hashrange/engine'
import { StateError } from '@hashrange/transfer'
import type { TransferCommand } from '../transfer-command.ts'
import { otherTables } from './backup-advice.ts'
import { explainTls } from '../explain-tls.ts'
import { explainStorage } from './explain-storage.ts'
import { Unfinished } from './interruption.ts'
import { Mistake } from '../mistake.ts'

/** Runs one of the commands that move items or operate a server, and returns its exit code: 1 for a failure, 2 for a mistake. */
export async function runTransfer(command: TransferCommand, words: readonly string[]): Promise<number> {
  try {
    switch (command) {
      case 'apply':
        return await (await import('./apply.ts')).apply(words)
      case 'backup':
        return await (await import('./backup.ts')).backup(words)
      case 'backups':
        return await (await import('./backups.ts')).backups(words)
      case 'branch':
        return await (await import('./branch.ts')).branch(words)
      case 'compact':
        return await (await import('./compact.ts')).compact(words)
      case 'conflicts':
        return await (await import('./conflicts.ts')).conflicts(words)
      case 'copy':
        return await (await import('./copy.ts')).copy(words)
      case 'export':
        return await (await import('./export.ts')).exportCommand(words)
      case 'import':
        return await (await import('./import.ts')).importCommand(words)
      case 'region':
        return await (await import('./region.ts')).region(words)
      case 'reset':
        return await (await import('./save.ts')).reset(words)
      case 'restore':
        return await (await import('./restore.ts')).restore(words)
      case 'schema':
        return await (await import('./schema.ts')).schema(words)
      case 'seed':
        return await (await import('./seed.ts')).seed(words)
      case 'snapshot':
        return await (await import('./snapshot.ts')).snapshot(words)
    }
  } catch (error) {
    if (error instanceof Unfinished) {
      console.error(`hashrange: ${explain(error.cause)}`)
      console.error(
        `Once that is fixed, run the same command again to continue: progress is recorded in ${error.statePath}.`,
      )
      return 1
    }
    console.error(`hashrange: ${explain(error)}`)
    return error instanceof Mistake ? 2 : 1
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof StorageError) return explainStorage(error)
  if (error instanceof StateError) return `${error.message} ${adviceOnState[error.code]}`
  if (error instanceof Mistake || error instanceof BucketError) return error.message
  const ofTls = explainTls(error, 'the server')
  if (ofTls !== undefined) return ofTls
  if ('code' in error && error.code === 'ECONNREFUSED')
    return 'Nothing answers at that address. Is the server running?'
  switch (error.name) {
    case 'ResourceNotFoundException':
      return `${error.message}. ${otherTables}`
    case 'CredentialsProviderError':
      return 'No AWS credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.'
    default:
      return error.message === '' ? error.name : error.message
  }
}

const adviceOnState: Readonly<Record<StateError['code'], string>> = {
  'of-another-transfer': 'Delete it, or choose another file with --state.',
  damaged: 'Delete it to start again from the beginning.',
}
