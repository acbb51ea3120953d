/** The file that declares identities cannot be read; the message names it. */
export class IdentitiesFileError extends Error {
  override readonly name = 'IdentitiesFileError'
}
