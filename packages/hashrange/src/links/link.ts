import { setTimeout as pause } from 'node:timers/promises'
import type { Engine, Lease } from '@hashrange/engine'
import type { Links } from '@hashrange/engine/links'
import type { LinkState, LinkStatus } from '../regions/link-status.ts'
import { callPeer, PeerConnections, type Peer, type PeerAction } from './call-peer.ts'

/** How long a response may wait for something to tell. */
const waitMs = 5_000
const shortestPauseMs = 200
const longestPauseMs = 10_000
/** The other server writes some of the reasons why a link is down. */
const mostReasons = 20
/** Clocks may differ by so much before the operator is told. */
const clockToleranceMs = 1_000

/** Receives what is written in another region, and tries again for as long as that fails. */
export class Link {
  readonly #engine: Engine
  readonly #links: Links
  readonly #peer: Peer
  readonly #connections: PeerConnections
  readonly #log: (sentence: string) => void
  readonly #filling = new Set<number>()
  #state: LinkState = 'connecting'
  #sinceMs: number
  #error: string | undefined
  /** Why it has been down since it was up. */
  readonly #reasons = new Set<string>()
  #receivedBytes = 0
  #receivedChanges = 0
  #clockAheadMs = 0
  #isClockTold = false
  /** Whether the link is cut by the other server's conditions. */
  #isCutThere = false

  constructor(engine: Engine, links: Links, peer: Peer, log: (sentence: string) => void) {
    this.#engine = engine
    this.#links = links
    this.#peer = peer
    this.#connections = new PeerConnections(peer)
    this.#log = log
    this.#sinceMs = engine.clock.now()
  }

  get status(): LinkStatus {
    return {
      region: this.#peer.region,
      url: this.#peer.url,
      state: this.#stateNow(),
      sinceMs: this.#sinceMs,
      error: this.#error,
      receivedBytes: this.#receivedBytes,
      receivedChanges: this.#receivedChanges,
      clockAheadMs: this.#clockAheadMs,
    }
  }

  /** A region may have been isolated or healed since the last exchange. */
  #stateNow(): LinkState {
    if (this.#links.isCut(this.#peer.region)) return 'cut'
    return this.#state === 'cut' && !this.#isCutThere ? 'connecting' : this.#state
  }

  /** Until the engine closes. One server of a shared store receives; another takes over if it dies. */
  async run(stopping: AbortSignal): Promise<void> {
    const { region } = this.#peer
    while (!stopping.aborted) {
      const isHeld = await this.#engine
        .hold(`link ${region}`, (lease) => this.#receive(lease, stopping))
        .catch((error: unknown) => {
          this.#becomes('down', messageOf(error))
          return true
        })
      if (!isHeld) this.#becomes('elsewhere')
      await pause(1_000, undefined, { signal: stopping }).catch(() => undefined)
    }
    this.#connections.close()
  }

  async #receive(lease: Lease, stopping: AbortSignal): Promise<void> {
    const { region } = this.#peer
    let receiver = this.#links.receiver(region, lease)
    let pauseMs = shortestPauseMs
    while (!lease.aborted) {
      try {
        const ask = (request: object): Promise<Buffer> => this.#ask('exchange', request, stopping)
        const received = await this.#links.exchange(receiver, ask, waitMs)
        pauseMs = shortestPauseMs
        if (received === undefined || received.answer.isCut) {
          this.#isCutThere = received !== undefined
          this.#becomes('cut')
          await pause(shortestPauseMs, undefined, { signal: stopping }).catch(() => undefined)
          await this.#engine.refresh()
          continue
        }
        this.#receivedChanges += received.changes
        this.#becomes('up')
        this.#compareClocks(received.answer.nowMs)
        this.#fill(stopping)
      } catch (error) {
        if (lease.aborted || stopping.aborted) return
        this.#becomes('down', messageOf(error))
        // What was known of positions may be wrong now.
        receiver = this.#links.receiver(region, lease)
        await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: stopping }).catch(() => undefined)
        pauseMs = Math.min(longestPauseMs, pauseMs * 2)
      }
    }
  }

  /** New replicas are filled beside everything else. */
  #fill(stopping: AbortSignal): void {
    for (const table of this.#links.fillsFrom(this.#peer.region)) {
      if (this.#filling.has(table.id)) continue
      this.#filling.add(table.id)
      const name = `fill ${table.id}`
      this.#engine.background.run(async () => {
        try {
          await this.#engine.hold(name, (lease) =>
            this.#links.fill(table, (request) => this.#ask('fill', request, stopping), lease),
          )
        } catch (error) {
          if (!stopping.aborted) {
            this.#log(
              `The replica of ${table.name} could not be filled from ${this.#peer.region} yet: ${messageOf(error)}.`,
            )
          }
          await pause(shortestPauseMs, undefined, { signal: stopping }).catch(() => undefined)
        } finally {
          this.#filling.delete(table.id)
        }
      })
    }
  }

  async #ask(action: PeerAction, request: object, stopping: AbortSignal): Promise<Buffer> {
    const connections = this.#connections
    const { bytes, transferredBytes } = await callPeer(this.#peer, action, request, {
      connections,
      waitMs,
      stopping,
    })
    this.#receivedBytes += transferredBytes
    return bytes
  }

  #becomes(state: LinkState, error?: string): void {
    this.#error = error
    const isKnown = this.#isKnown(error)
    const { region, url } = this.#peer
    if (state === this.#state) {
      if (!isKnown) this.#log(`The link to ${region} is still down: ${error ?? ''}.`)
      return
    }
    const nowMs = this.#engine.clock.now()
    const seconds = Math.round((nowMs - this.#sinceMs) / 1000)
    const before = this.#state
    this.#state = state
    this.#sinceMs = nowMs
    if (state === 'down') {
      this.#log(
        `The link to ${region} (${url}) is down: ${error ?? ''}. Writes are kept here, and hashrange keeps trying to connect.`,
      )
    }
    if (state === 'up') {
      this.#log(
        before === 'down'
          ? `The link to ${region} is up again, after ${seconds} s.`
          : `The link to ${region} (${url}) is up.`,
      )
    }
  }

  /** Whether the reason was logged since the link went down. While the other server starts, or is set up, one reason follows
   *  the other; times and numbers in it do not make it another one. */
  #isKnown(error: string | undefined): boolean {
    if (error === undefined) {
      this.#reasons.clear()
      return true
    }
    const reason = error.replaceAll(/\d+/g, '')
    const isKnown = this.#reasons.has(reason) || this.#reasons.size >= mostReasons
    this.#reasons.add(reason)
    return isKnown
  }

  /** The later of two writes wins, so clocks must agree. */
  #compareClocks(nowThereMs: number): void {
    this.#clockAheadMs = Math.round(nowThereMs - this.#engine.clock.now())
    const isOff = Math.abs(this.#clockAheadMs) > clockToleranceMs
    if (isOff && !this.#isClockTold) {
      const seconds = (Math.abs(this.#clockAheadMs) / 1000).toFixed(1)
      const direction = this.#clockAheadMs > 0 ? 'ahead of' : 'behind'
      this.#log(
        `The clock of ${this.#peer.region} is ${seconds} s ${direction} the clock here. If both regions write an item at the same time, the write with the later clock wins. Synchronise the clocks with NTP.`,
      )
    }
    this.#isClockTold = isOff
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
