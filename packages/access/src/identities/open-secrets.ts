import { SecretBox } from '../secrets/secret-box.ts'
import type { Identities } from './identities.ts'

const known = 'hashrange'
const name = 'secret-key'

/** The secrets of a store were sealed with another key than the one that was given. */
export class WrongSecretKey extends Error {
  override readonly name = 'WrongSecretKey'

  constructor() {
    super('The secrets in this store were encrypted with another key.')
  }
}

/** The key of secrets, 32 bytes. A new one may be made if the store has no secrets yet (`isFirst`), and only then. */
export type SecretKeySource = (isFirst: boolean) => Buffer | Promise<Buffer>

/** Opens the box of secrets. The first key that seals anything in a store is the only one that it has: the store remembers what that key makes of a known text. */
export async function openSecrets(identities: Identities, secretKey: SecretKeySource): Promise<SecretBox> {
  const isFirst = (await identities.note(name)) === undefined
  const box = new SecretBox(await secretKey(isFirst))
  const { sealed } = await identities.noteOnce({ kind: 'note', name, sealed: box.seal(known, name) })
  if (sealed === undefined || box.open(sealed, name) !== known) throw new WrongSecretKey()
  return box
}
