import type { Scope } from '@hashrange/engine'
import type { Invoked } from '../functions/runner.ts'
import { describeDiscarded, type Discarded } from './discarded.ts'

/** Whom a destination is reached through. */
export interface Destinations {
  invoke(scope: Scope, functionName: string, payload: Buffer): Promise<Invoked>
  readonly report: (sentence: string) => void
  readonly retryMs: number
  /** Calls a URL, and returns what went wrong. */
  readonly send: (url: string, body: string) => Promise<string | undefined>
}

const attempts = 3

/** Tells the destination of a mapping, a function or a URL, that records were given up. If it cannot be told, the log
 *  says so: the stream goes on. */
export async function deliverDiscarded(host: Destinations, discarded: Discarded): Promise<void> {
  const { mapping, records, reason, shardId } = discarded
  const { onFailure } = mapping.settings
  const what = `${records.length} ${records.length === 1 ? 'record' : 'records'} of ${shardId} for ${mapping.functionName}`
  host.report(
    `${what} ${records.length === 1 ? 'was' : 'were'} discarded (${reason}), starting with ${records[0]?.sequenceNumber ?? ''}.`,
  )
  if (onFailure === undefined) return
  const payload = Buffer.from(JSON.stringify(describeDiscarded(discarded)))
  for (let attempt = 1; ; attempt++) {
    const failure = await deliver(host, mapping.scope, onFailure, payload)
    if (failure === undefined) return
    if (attempt === attempts)
      return host.report(`The failure destination ${onFailure} could not be notified: ${failure}`)
    await new Promise((resolve) => setTimeout(resolve, host.retryMs * attempt).unref())
  }
}

/** What went wrong, if anything did. */
async function deliver(
  host: Destinations,
  scope: Scope,
  destination: string,
  payload: Buffer,
): Promise<string | undefined> {
  try {
    if (!/^https?:/.test(destination)) {
      const invoked = await host.invoke(scope, destination.split(':').at(6) ?? '', payload)
      return invoked.functionError === undefined ? undefined : invoked.payload.toString('utf8', 0, 500)
    }
    return await host.send(destination, payload.toString('utf8'))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
