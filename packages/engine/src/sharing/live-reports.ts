import type { CapacityReport } from './capacity-report.ts'

/** A row as it was read: named by what it is about and whose it is. */
export interface HeardRow {
  /** `id/server`. */
  readonly name: string
  readonly beat: number
  readonly report: CapacityReport | undefined
}

export interface Heard {
  /** Of servers that are there, by what they are about and by server. */
  readonly reports: ReadonlyMap<number, ReadonlyMap<string, CapacityReport>>
  readonly servers: readonly string[]
  /** Rows that nobody has touched for long. */
  readonly dead: readonly string[]
}

/** Tells the rows of servers that are there from those that were left behind. Whoever goes on counting is there: no clock is
 *  compared with another. */
export class LiveReports {
  readonly #own: string
  readonly #presenceId: number
  readonly #seen = new Map<string, { beat: number; changedAt: number; hasChanged: boolean }>()
  #hearings = 0
  #present = 1

  constructor(ownServer: string, presenceId: number) {
    this.#own = ownServer
    this.#presenceId = presenceId
  }

  /** How many servers there seem to be, this one included, those that have said so only once among them. */
  get present(): number {
    return this.#present
  }

  hear(rows: readonly HeardRow[]): Heard {
    this.#hearings++
    const reports = new Map<number, Map<string, CapacityReport>>()
    const servers = new Set<string>()
    const present = new Set<string>([this.#own])
    const dead: string[] = []
    for (const { name, beat, report } of rows) {
      const [id, server] = partsOf(name)
      if (server === this.#own) continue
      const seen = this.#note(name, beat)
      const age = this.#hearings - seen.changedAt
      if (age > forgottenAfter) dead.push(name)
      if (age > (id === this.#presenceId ? presenceLasts : reportLasts)) continue
      present.add(server)
      if (!seen.hasChanged) continue
      servers.add(server)
      if (report === undefined) continue
      const others = reports.get(id) ?? new Map<string, CapacityReport>()
      reports.set(id, others.set(server, report))
    }
    const names = new Set(rows.map(({ name }) => name))
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name)
    this.#present = present.size
    return { reports, servers: [...servers], dead }
  }

  #note(name: string, beat: number): { readonly changedAt: number; readonly hasChanged: boolean } {
    const seen = this.#seen.get(name)
    if (seen === undefined) {
      // What is there from the start may have been left behind; what comes later was written just now.
      const added = { beat, changedAt: this.#hearings, hasChanged: this.#hearings > 1 }
      this.#seen.set(name, added)
      return added
    }
    if (seen.beat !== beat) {
      seen.beat = beat
      seen.changedAt = this.#hearings
      seen.hasChanged = true
    }
    return seen
  }
}

/** In hearings, of which there is one a second. */
const reportLasts = 4
const presenceLasts = 12
const forgottenAfter = 120

function partsOf(name: string): readonly [id: number, server: string] {
  const [id = '', server = ''] = name.split('/')
  return [Number(id), server]
}
