import { StorageError } from '@hashrange/engine'

/** Why nothing can be written to a database that answers. */
export type NoWrites = 'standby' | 'read-only' | 'one of them'

/** What is wrong, and what to do. Others may be able to write, and this server, later. */
export function takesNoWrites(reason: NoWrites, cause?: unknown): StorageError {
  return new StorageError('unavailable', sentences[reason], cause)
}

const sentences: Readonly<Record<NoWrites, string>> = {
  standby:
    'The database is a standby: it takes no writes, and what is read there may be old. Name its primary in the URL of the store, or all hosts, separated by commas: the one that takes writes is used.',
  'read-only':
    'The database takes no writes, because default_transaction_read_only is on for it, for its server or for the role. When it may be written to again, turn that off (ALTER DATABASE … RESET default_transaction_read_only): servers notice by themselves.',
  'one of them':
    'The database takes no writes: it is a standby, or default_transaction_read_only is on for it, for its server or for the role.',
}

/** Whether a statement was refused because it writes. */
export function isRefusedWrite(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === readOnlyTransaction
}

export const readOnlyTransaction = '25006'
