import { createHash } from 'node:crypto'
import { ServiceError } from '@hashrange/core'

/** The list without names; clients know it. */
const emptyListId = 1
/** What all lists together may take. Programs have a few lists, and clients ask for each once. */
const mostBytes = 64 * 1024 * 1024

/** Where lists of attribute names outlive a server, and other servers find them. */
export interface KeptLists {
  get(id: number): Promise<readonly string[] | undefined>
  /** Returns the names that the number stands for: these, or others if it was taken. */
  keep(id: number, names: readonly string[]): Promise<readonly string[]>
}

/** The names of the attributes of items, which are sent once and from then on are known by a number. The number follows from the
 *  names: it is the same on every server and after every start, so what clients remember stays right. */
export class AttributeLists {
  readonly #byId = new Map<number, readonly string[]>()
  readonly #byNames = new Map<string, number>()
  readonly #kept: KeptLists
  /** Those that were given to clients, and are kept. */
  readonly #keptIds = new Set<number>()
  #heldBytes = 0

  constructor(kept: KeptLists) {
    this.#kept = kept
  }

  /** The number by which a client is going to send these names. Clients remember it for as long as they run, and ask for it
   *  once: it has to be known after a restart, and on other servers. */
  async define(names: readonly string[]): Promise<number> {
    const id = this.idOf(names)
    if (id === emptyListId || this.#keptIds.has(id)) return id
    const meant = await this.#kept.keep(id, names)
    if (JSON.stringify(meant) !== JSON.stringify(names))
      throw new ServiceError(
        'LimitExceededException',
        'Other attribute names have the number of these. Rename one.',
      )
    this.#keptIds.add(id)
    return id
  }

  /** Looks up a number that this server does not know, because another one has given it out, or an earlier start of this one. */
  async learn(id: number): Promise<void> {
    if (id === emptyListId || this.#byId.has(id)) return
    const names = await this.#kept.get(id)
    if (names === undefined || this.#byId.has(id)) return
    this.#add(id, names, JSON.stringify(names))
    this.#keptIds.add(id)
  }

  /** The number of names of an answer. */
  idOf(names: readonly string[]): number {
    if (names.length === 0) return emptyListId
    const joined = JSON.stringify(names)
    const known = this.#byNames.get(joined)
    if (known !== undefined) return known
    let id = numberOf(joined)
    while (id === emptyListId || this.#byId.has(id)) id = numberOf(`${joined}${id}`)
    this.#add(id, names, joined)
    return id
  }

  namesOf(id: number): readonly string[] {
    if (id === emptyListId) return []
    const names = this.#byId.get(id)
    if (names !== undefined) return names
    throw new ServiceError(
      'ValidationException',
      'The server has been restarted, and no longer knows these attribute names. Create the DAX client again.',
    )
  }

  #add(id: number, names: readonly string[], joined: string): void {
    const bytes = joined.length * 4 + 200
    if (this.#heldBytes + bytes > mostBytes)
      throw new ServiceError('LimitExceededException', 'Too many different lists of attribute names are in use.')
    this.#heldBytes += bytes
    this.#byId.set(id, [...names])
    this.#byNames.set(joined, id)
  }
}

/** Of 48 bits: all clients read it exactly. */
function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6)
}
