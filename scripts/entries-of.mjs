import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** What a package exports, but for what only our own tests use, and what is run by itself: the command, and the processes of model files and functions. `dist/store/describe-store.js` is made of
 *  `src/store/describe-store.ts`. */
export function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const sources = Object.values(exports).flatMap((entry) =>
    entry.default === undefined ? [] : (entry.source ?? []),
  )
  if (folder.endsWith('hashrange'))
    sources.push('./src/main.ts', './src/model-process.ts', './src/function-process.ts')
  return Object.fromEntries(
    sources.map((source) => [posix.relative('src', source).replace(/\.ts$/, ''), join(folder, source)]),
  )
}
