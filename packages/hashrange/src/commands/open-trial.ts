import type { Database } from '../database.ts'
import { open } from '../open.ts'

/** A database in memory, in which to try a model. */
export function openTrial(): Promise<Database> {
  // The SDK's notice about versions of Node.js is for those who write the application.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  return open()
}
