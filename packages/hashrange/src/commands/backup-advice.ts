import { Mistake } from './mistake.ts'

/** A table that is not there is mostly another account's, or another region's. */
export const otherTables =
  'Other access keys (AWS_ACCESS_KEY_ID) and regions (AWS_REGION) have other tables, and in a folder of data other accounts (--account).'

/** What to do next about a refusal. */
const advice: Readonly<Record<string, string>> = {
  TableNotFoundException: otherTables,
  ResourceNotFoundException: otherTables,
  BackupNotFoundException: 'Those that are there: hashrange backups',
  BackupInUseException: 'Try again when that is done.',
  TableAlreadyExistsException: 'Choose another name with --to, or delete that table first.',
  TableInUseException: 'Choose another name with --to.',
  PointInTimeRecoveryUnavailableException:
    'Only what comes after it is enabled can be restored: aws dynamodb update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --table-name …',
  InvalidRestoreTimeException: 'Choose a time within these with --at, or --at latest.',
  AccessDeniedException: 'An ARN names the account that it belongs to: see hashrange backups.',
}

/** Runs what asks the database for something. If it refuses, its words are followed by what to do next. */
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
