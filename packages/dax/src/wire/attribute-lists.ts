import { createHash } from 'node:crypto'
import { ServiceError } from '@hashrange/core'

/** The list without names; clients know it. */
const emptyListId = 1
/** What all lists together may take. Programs have a few lists, and clients ask for each once. */
const mostBytes = 64 * 1024 * 1024

/** The names of the attributes of items, which are sent once and from then on are known by a number. The number follows from the
 *  names: it is the same on every server and after every start, so what clients remember stays right. */
export class AttributeLists {
  readonly #byId = new Map<number, readonly string[]>()
  readonly #byNames = new Map<string, number>()
  #heldBytes = 0

  idOf(names: readonly string[]): number {
    if (names.length === 0) return emptyListId
    const joined = JSON.stringify(names)
    const known = this.#byNames.get(joined)
    if (known !== undefined) return known
    this.#heldBytes += joined.length * 4 + 200
    if (this.#heldBytes > mostBytes) {
      this.#heldBytes -= joined.length * 4 + 200
      throw new ServiceError('LimitExceededException', 'Too many different lists of attribute names are in use.')
    }
    let id = numberOf(joined)
    while (id === emptyListId || this.#byId.has(id)) id = numberOf(`${joined}${id}`)
    this.#byId.set(id, [...names])
    this.#byNames.set(joined, id)
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
}

/** Of 48 bits: all clients read it exactly. */
function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6)
}
