import { lookup } from 'node:dns/promises'
import { isLoopback } from '@hashrange/server'
import type { Advised } from './storage-advice.ts'

/** A server that other machines could reach, although it verifies nobody. The message says what to do. */
export class OpenToOthers extends Error {
  override readonly name = 'OpenToOthers'
}

export interface Reach {
  readonly host: string
  /** Whether every request is verified. */
  readonly isClosed: boolean
  /** Whether somebody has said that it should be open to all. */
  readonly insecure?: boolean | undefined
}

/** A server is closed, or only for this machine, or open on purpose: there is nothing in between. Otherwise throws an
 *  OpenToOthers. */
export async function assertNotOpenToOthers({ host, isClosed, insecure }: Reach, advised: Advised): Promise<void> {
  if (isClosed || insecure === true || (await isForThisMachine(host))) return
  const place = host === '' ? 'all addresses' : host
  const advice =
    advised === 'command'
      ? `Close it with --auth, listen on 127.0.0.1, or add --insecure (HASHRANGE_INSECURE=1) if it is meant to be open.`
      : `Open it with auth: true, listen on 127.0.0.1, or listen with insecure: true if it is meant to be open.`
  throw new OpenToOthers(
    `A server on ${place} can be reached from other machines, and anyone who reaches it could read and write the data. ${advice}`,
  )
}

/** A name is what it resolves to. A name that does not resolve cannot be listened on either, and listening reports
 *  that better. */
async function isForThisMachine(host: string): Promise<boolean> {
  if (host === '') return false
  try {
    const found = await lookup(host, { all: true })
    return found.every(({ address }) => isLoopback(address.replace(/^::ffff:/i, '')))
  } catch {
    return true
  }
}
