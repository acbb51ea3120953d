export const auditFlags = {
  'audit-log': { type: 'string' },
  'audit-data-events': { type: 'boolean' },
  'audit-log-size': { type: 'string' },
  'audit-log-files': { type: 'string' },
} as const

interface Values {
  readonly 'audit-log'?: string | undefined
  readonly 'audit-data-events'?: boolean | undefined
  readonly 'audit-log-size'?: string | undefined
  readonly 'audit-log-files'?: string | undefined
}

export interface AuditSettings {
  readonly audit?: AuditLogSettings | undefined
}

export interface AuditLogSettings {
  readonly path: string
  readonly hasDataEvents: boolean
  readonly mostBytes: number
  readonly mostFiles: number
}

/** The flags about the audit log, or what is wrong with them. `setting` reads the environment. */
export function readAuditFlags(
  values: Values,
  setting: (name: string) => string | undefined,
  isOn: (value: string | undefined) => boolean,
): AuditSettings | { readonly mistake: string } {
  const path = values['audit-log'] ?? setting('HASHRANGE_AUDIT_LOG')
  const hasDataEvents = values['audit-data-events'] ?? isOn(setting('HASHRANGE_AUDIT_DATA_EVENTS'))
  const size = values['audit-log-size'] ?? setting('HASHRANGE_AUDIT_LOG_SIZE') ?? '100'
  const files = values['audit-log-files'] ?? setting('HASHRANGE_AUDIT_LOG_FILES') ?? '10'
  if (path === undefined) {
    const isAsked = values['audit-data-events'] ?? values['audit-log-size'] ?? values['audit-log-files']
    return isAsked === undefined ? {} : { mistake: 'The audit log needs a file: --audit-log FILE.' }
  }
  if (path === '') return { mistake: '--audit-log needs a file, such as --audit-log audit.log.' }
  if (!isCount(size, 100_000)) {
    return { mistake: `--audit-log-size must be a number of megabytes from 1 to 100000, not "${size}".` }
  }
  if (!isCount(files, 1000)) {
    return { mistake: `--audit-log-files must be a number of files from 1 to 1000, not "${files}".` }
  }
  return { audit: { path, hasDataEvents, mostBytes: Number(size) * 1024 * 1024, mostFiles: Number(files) } }
}

function isCount(text: string, most: number): boolean {
  return /^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= most
}
