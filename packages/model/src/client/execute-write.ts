import { ModelError } from '../errors.ts'
import type { Connection, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { StoredItem } from './entity-runtime.ts'
import type { PlannedWrite } from './planned-writes.ts'
import type { Transport } from './request-types.ts'
import { sendWrites, writeRequest } from './send-writes.ts'

/** Carries out a write; plans it again if someone else was faster. */
export async function executeWrite(
  connection: Connection,
  write: PlannedWrite,
  meter: Meter,
): Promise<StoredItem | undefined> {
  let last: ModelError | undefined
  for (let attempt = 0; attempt < connection.maxAttempts; attempt++) {
    if (attempt > 0) await connection.pause(attempt)
    const { actions, item } = await write.plan(connection, meter)
    if (actions.length === 0) return item
    const sent = await sendWrites(connection, actions, meter)
    if (sent.isDone) return actions.length > 1 ? item : (item ?? sent.attributes)
    if (!sent.isWorthRetrying) throw sent.error
    last = sent.error
  }
  throw last ?? new ModelError('CONFLICT', 'The write could not be completed. Retry a little later.')
}

/** The requests that a write would send now. Where it depends on what is stored, that is read, but nothing is written. */
export async function explainWrite(connection: Connection, write: PlannedWrite): Promise<readonly Request[]> {
  const reads: Request[] = []
  const recording: Transport = (operation, input, signal) => {
    // The compiler cannot see that the two belong together.
    reads.push({ operation, input } as unknown as Request)
    return connection.transport(operation, input, signal)
  }
  const { actions } = await write.plan(connection.with({ transport: recording }), new Meter())
  return actions.length === 0 ? reads : [...reads, writeRequest(connection, actions, {})]
}
