import { DeclarationError, WrongSecretKey } from '@hashrange/access'
import { IdentitiesFileError } from './identities-file-error.ts'
import { SecretKeyError } from './secret-key-source.ts'

/** Why a server could not be closed, and what to do; undefined if it is something else. */
export function explainAuth(error: unknown, identities: string | undefined): string | undefined {
  if (error instanceof SecretKeyError || error instanceof IdentitiesFileError) return error.message
  if (error instanceof DeclarationError) return `${identities ?? 'The identities'}: ${error.message}`
  if (error instanceof WrongSecretKey) {
    return `${error.message} Start with the key that was used before: HASHRANGE_SECRET_KEY, --secret-key-file, or the file secret.key in the data folder.`
  }
  return undefined
}
