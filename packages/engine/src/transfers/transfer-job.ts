/** What an export and an import have in common. ON DISK as JSON: members may be added, with a default for jobs that
 *  lack them. */
export interface TransferJob {
  /** The moment it was asked for and some random digits, as in the service: identifiers sort by time. */
  readonly id: string
  readonly accountId: string
  readonly region: string
  readonly tableName: string
  /** `TableId` on the wire. */
  readonly tableUuid: string
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'
  readonly startedAtMs: number
  readonly endedAtMs?: number
  readonly clientToken?: string
  readonly failure?: TransferFailure
}

export interface TransferFailure {
  readonly code: string
  readonly message: string
}

/** Why a transfer cannot go on, in words for whoever asked for it. */
export class TransferStopped extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export function transferJobId(nowMs: number, uuid: string): string {
  return `${String(Math.trunc(nowMs)).padStart(14, '0')}-${uuid.replaceAll('-', '').slice(0, 8)}`
}

/** The service remembers jobs for 90 days. */
export const jobsKeptMs = 90 * 86_400_000

/** How long a client's token makes a request happen once. */
export const tokenMs = 8 * 3_600_000
