import type { StorageError } from '@hashrange/engine'

/** Why a command cannot use its data. A folder that is in use is mostly a server's, which can be asked instead. */
export function explainStorage(error: StorageError): string {
  if (error.code !== 'locked') return error.message
  return `${error.message} If a server is using it, give the server's address instead of the folder, such as http://127.0.0.1:8000.`
}
