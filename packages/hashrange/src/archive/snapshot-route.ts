import { randomUUID } from 'node:crypto'
import type { Store } from '@hashrange/engine'
import type { HttpResponse, Route } from '@hashrange/server'
import { SnapshotSource } from '@hashrange/transfer'
import { safetyHeaders as safety } from '../local-answers.ts'

const root = '/_hashrange/snapshots'

/** What `hashrange snapshot --endpoint` reads from a running server, piece by piece:
 *
 *      POST /_hashrange/snapshots             begins one, and answers its id
 *      GET  /_hashrange/snapshots/ID/NUMBER   the next piece; 204 after the last
 *
 *  What is written meanwhile waits for the next piece, so a reader that stays away is forgotten. */
export function snapshotRoute(store: Store): Route {
  const reading = new Map<string, Reading>()
  return async (request) => {
    if (!request.target.startsWith(root)) return undefined
    if (request.origin !== undefined) return answer(403, 'Web pages are not allowed to read this.')
    const [id, number, more] = request.target.slice(root.length + 1).split('/')
    if (id === undefined || id === '') {
      if (request.method !== 'POST') return answer(405, 'Start with POST.', { Allow: 'POST' })
      return begin(store, reading)
    }
    const found = reading.get(id)
    if (found === undefined || more !== undefined)
      return answer(404, 'There is no such snapshot, or it was not read for a minute. Start again.')
    if (request.method !== 'GET') return answer(405, 'Use GET.', { Allow: 'GET' })
    return found.read(Number(number))
  }
}

function begin(store: Store, reading: Map<string, Reading>): HttpResponse {
  if (store.follow === undefined)
    return answer(400, 'Only a data folder has snapshots. For PostgreSQL, use its own backup tools.')
  if (reading.size >= mostReaders) return answer(429, 'Other snapshots are being read. Try again later.')
  const id = randomUUID()
  reading.set(id, new Reading(new SnapshotSource(store, Date.now), () => reading.delete(id)))
  return answer(201, id)
}

class Reading {
  readonly #source: SnapshotSource
  readonly #forget: () => void
  #expected = 0
  #isReading = false
  #timer: NodeJS.Timeout

  constructor(source: SnapshotSource, forget: () => void) {
    this.#source = source
    this.#forget = forget
    this.#timer = this.#watch()
  }

  async read(number: number): Promise<HttpResponse> {
    if (this.#isReading || number !== this.#expected) return answer(409, `The next part is ${this.#expected}.`)
    this.#isReading = true
    clearTimeout(this.#timer)
    try {
      const body = await this.#source.next()
      this.#expected++
      if (body === undefined) {
        this.#forget()
        return answer(204, '')
      }
      return { status: 200, headers: { ...safety, 'Content-Type': 'application/octet-stream' }, body }
    } finally {
      this.#isReading = false
      this.#timer = this.#watch()
    }
  }

  #watch(): NodeJS.Timeout {
    let secondsLeft = 60
    const timer = setInterval(() => {
      if (--secondsLeft > 0 && this.#source.waitingBytes < mostWaitingBytes) return
      clearInterval(timer)
      this.#source.stop()
      this.#forget()
    }, 1_000).unref()
    return timer
  }
}

const mostReaders = 4
const mostWaitingBytes = 64 * 1024 * 1024

function answer(status: number, sentence: string, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { ...safety, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(sentence),
  }
}
