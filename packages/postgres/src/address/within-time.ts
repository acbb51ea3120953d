import type { Socket } from 'node:net'
import type { Client } from 'pg'

/** Gives up a connection on which this takes too long: the database may fall silent as soon as it is connected. */
export async function withinTime<T>(client: Client, answerMs: number, ask: () => Promise<T>): Promise<T> {
  let unanswered: Error | undefined
  const overdue = setTimeout(() => {
    unanswered = new Error('it did not answer in time')
    streamOf(client).destroy()
  }, answerMs)
  try {
    return await ask()
  } catch (error) {
    throw unanswered ?? error
  } finally {
    clearTimeout(overdue)
  }
}

export function streamOf(client: Client): Socket {
  const { connection } = client as unknown as { connection?: { stream?: Socket } }
  if (connection?.stream === undefined) throw new Error('this version of pg does not show its socket')
  return connection.stream
}
