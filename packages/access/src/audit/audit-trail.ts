import { randomUUID } from 'node:crypto'
import type { Scope } from '@hashrange/engine'
import type { Audit, AuditedCall, Logger, MetricFamily } from '@hashrange/server'
import { auditEvent } from './audit-event.ts'
import { AuditFile } from './audit-file.ts'
import { isDataEvent } from './kinds-of-events.ts'
import { claimedIdentity, type UserIdentity } from './user-identity.ts'

export interface AuditTrailOptions {
  readonly path: string
  /** Whether calls on items are recorded too. */
  readonly hasDataEvents: boolean
  readonly mostBytes: number
  readonly mostFiles: number
  readonly logger: Logger
  readonly now: () => number
  /** The names of a table's key attributes. */
  readonly keyNamesOf: (scope: Scope, tableName: string) => readonly string[] | undefined
  /** Who has made a request, if that was verified. */
  readonly identify?: ((call: AuditedCall) => UserIdentity | undefined) | undefined
}

/** Who has asked for what, from where, and how it ended: one line of JSON for each call, in CloudTrail's form. */
export class AuditTrail implements Audit {
  readonly #options: AuditTrailOptions
  readonly #file: AuditFile
  /** What a client sends must not fill the log. */
  #hasFailed = false

  private constructor(options: AuditTrailOptions, file: AuditFile) {
    this.#options = options
    this.#file = file
  }

  /** Rejects with the system's error if the file cannot be written. */
  static async open(options: AuditTrailOptions): Promise<AuditTrail> {
    const { path, mostBytes, mostFiles, logger } = options
    const onTrouble = (message: string): void => logger.error(`hashrange: ${message}`)
    const file = new AuditFile({ path, mostBytes, mostFiles, onTrouble })
    await file.open()
    return new AuditTrail(options, file)
  }

  wants(service: string, operation: string): boolean {
    return this.#options.hasDataEvents || !isDataEvent(service, operation)
  }

  record(call: AuditedCall): void {
    const { now, keyNamesOf, identify, logger } = this.#options
    const { scope, request } = call
    try {
      const event = auditEvent(call, {
        eventId: randomUUID(),
        time: new Date(now()),
        identity: identify?.(call) ?? claimedIdentity(request, scope),
        keyNamesOf: (name) => (scope === undefined ? undefined : keyNamesOf(scope, name)),
      })
      this.#file.add(JSON.stringify(event))
    } catch (error) {
      // No request fails because of what is recorded of it.
      this.#file.droppedLines++
      if (!this.#hasFailed) logger.error('hashrange: an event of the audit log could not be made:', error)
      this.#hasFailed = true
    }
  }

  *metricFamilies(): Iterable<MetricFamily> {
    yield counter('hashrange_audit_events', 'Events written to the audit log.', this.#file.writtenLines)
    yield counter(
      'hashrange_audit_dropped',
      'Events that could not be written to the audit log.',
      this.#file.droppedLines,
    )
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

function counter(name: string, help: string, value: number): MetricFamily {
  return { name, help, type: 'counter', samples: [{ labels: {}, value }] }
}
