import type { Database } from '../database.ts'
import { open } from '../open.ts'

/** A database in memory, for trying out a model. */
export function openTrial(): Promise<Database> {
  // The SDK's notice about Node.js versions is for the developers of the application.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  return open()
}
