import type { StorageError } from '@hashrange/engine'
import { withAdvice } from '../storage-advice.ts'

/** Why a command cannot use its data. A folder that is in use usually belongs to a server, which can be asked
 *  instead. */
export function explainStorage(error: StorageError): string {
  const sentence = withAdvice(error, 'command')
  if (error.code !== 'locked') return sentence
  return `${sentence} If a server is using it, give the server's address instead of the folder, such as http://127.0.0.1:8000.`
}
