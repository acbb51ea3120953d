import type { StorageError, StorageProblem } from '@hashrange/engine'

/** Who is advised: somebody who typed a command, with flags, or the author of a program, with the options of `open`. */
export type Advised = 'command' | 'program'

/** What is wrong with a store, and what to do about it. The only place that knows both the store's problems and our
 *  flags and options. */
export function withAdvice({ message, problem }: StorageError, advised: Advised): string {
  return problem === undefined ? message : `${message} ${adviceOn(problem, advised)}`
}

function adviceOn(problem: StorageProblem, advised: Advised): string {
  const isCommand = advised === 'command'
  switch (problem.kind) {
    case 'folder-in-use':
      return `Stop ${problem.processId === undefined ? 'it' : 'that process'}, or choose another folder ${isCommand ? 'with --path' : 'as path'}.`
    case 'folder-not-created':
      return `Choose another ${isCommand ? 'with --path' : 'as path'}.`
    case 'folder-not-writable':
      return `Fix its permissions or choose another ${isCommand ? 'with --path' : 'as path'}.`
    case 'redo-log-damaged':
      return `Writes that were acknowledged would be lost. Restore the whole folder from a copy, or ${isCommand ? 'start once' : 'run hashrange start once'} with --accept-loss to continue without them.`
    case 'data-unreadable':
      return `Restore the whole folder from a copy, or ${isCommand ? 'start with another --path' : 'open another path'}.`
    case 'clock-off': {
      const seconds = Math.ceil(problem.offMs / 1000) + 1
      const allow = isCommand
        ? `start with --max-clock-offset ${seconds}`
        : `open with maxClockOffsetMs: ${seconds * 1000}`
      return `Correct the clock that is wrong (a time service such as chrony keeps it right), or ${allow} to use the database's clock anyway.`
    }
    case 'other-distribution':
      return `${isCommand ? `Start with --store-distribution ${problem.distribution}` : 'Open it as it is'}, or copy the data to another database.`
    case 'without-citus':
      return `Create it with CREATE EXTENSION citus${isCommand ? ', or start with --store-distribution none' : ''}.`
    case 'unfinished-copy':
      return 'Run the same hashrange copy again, or copy to an empty folder or database.'
    case 'schema-not-current': {
      const from = problem.version === undefined ? '' : ` --from ${problem.version}`
      return `Let a server set it up, or run the SQL that hashrange schema --print${from} prints.`
    }
    case 'encryption-key-missing':
      return isCommand
        ? 'Give its key with --encryption-key-file FILE, or in HASHRANGE_ENCRYPTION_KEY or HASHRANGE_ENCRYPTION_KEY_FILE.'
        : 'Open it with encryptionKey.'
    case 'encryption-key-wrong':
      return 'Nothing was changed. Use the key that the data was created with.'
    case 'not-encrypted':
      return `Leave out the key, or copy the data to an encrypted folder: hashrange copy --from lmdb:OLD --to lmdb:NEW --to-encryption-key-file FILE`
    case 'schema-not-creatable':
      return 'Grant the role that right, or have an administrator run the SQL that hashrange schema --print prints.'
  }
}
