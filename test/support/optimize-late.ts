import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const preload = fileURLToPath(new URL('optimize-late.cjs', import.meta.url))

/** Lets Node.js wait longer before it optimizes a function, here and in all processes that are started from here. Most of them end
 *  soon: to optimize what they run takes a quarter of their processor time, and hardly any of it comes back. What code does is the
 *  same. */
export function optimizeLate(environment: NodeJS.ProcessEnv): void {
  createRequire(import.meta.url)(preload)
  const quoted = `"${preload.replaceAll('\\', '\\\\')}"`
  environment['NODE_OPTIONS'] = [environment['NODE_OPTIONS'], `--require ${quoted}`].filter(Boolean).join(' ')
}
