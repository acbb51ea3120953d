import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Where tests run on the sources, the package's entry is one of them.
const entry = createRequire(import.meta.url).resolve('hashrange')

/** What runs the command: the build's, or another one's. */
export const hashrangeMain = process.env['HASHRANGE_MAIN'] ?? join(dirname(entry), '..', 'dist', 'main.js')
