import { Mistake } from '../mistake.ts'

/** A missing table usually belongs to another account or region. */
export const otherTables =
  'Each access key (AWS_ACCESS_KEY_ID) and region (AWS_REGION) has its own tables. In a data folder, so does each account (--account).'

/** What to do next about an error. */
const advice: Readonly<Record<string, string>> = {
  TableNotFoundException: otherTables,
  ResourceNotFoundException: otherTables,
  BackupNotFoundException: 'To list the backups: hashrange backups',
  BackupInUseException: 'Try again when that has finished.',
  TableAlreadyExistsException: 'Choose another name with --to, or delete that table first.',
  TableInUseException: 'Choose another name with --to.',
  PointInTimeRecoveryUnavailableException:
    'You can only restore to a time after it was enabled. To enable it: aws dynamodb update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --table-name …',
  InvalidRestoreTimeException: 'Use --at with a time between these two, or --at latest.',
  AccessDeniedException: 'An ARN contains the account it belongs to. See: hashrange backups',
}

/** Runs requests to the database. If it rejects one, its message is followed by what to do next. */
export async function withAdvice<Outcome>(ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Mistake || !(error instanceof Error)) throw error
    const next = Object.hasOwn(advice, error.name) ? advice[error.name] : undefined
    if (next === undefined) throw error
    throw new Error(`${/[.!?]$/.test(error.message) ? error.message : `${error.message}.`} ${next}`, {
      cause: error,
    })
  }
}
