// Builds the code of the packages: each of their entries becomes one file of dist, and what is loaded later becomes a file in
// dist/chunks. A start then reads some forty files rather than three hundred. Types are the compiler's, which emits nothing else.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = ['core', 'engine', 'postgres', 'transfer', 'server', 'monitoring', 'access', 'model', 'hashrange']

await Promise.all(packages.map((name) => bundle(join(root, 'packages', name))))

async function bundle(folder) {
  const dist = join(folder, 'dist')
  const build = await rolldown({
    input: entriesOf(folder),
    platform: 'node',
    // Other packages, ours included, stay what they are: one copy of each, shared by all that import it.
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
  })
  const chunks = 'chunks/'
  const { output } = await build.write({
    dir: dist,
    format: 'esm',
    sourcemap: true,
    chunkFileNames: `${chunks}[name].js`,
  })
  await build.close()
  // What was built before stays whole until it is replaced, so that sources which do not build leave a command that runs.
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const name of existsSync(join(dist, chunks)) ? readdirSync(join(dist, chunks)) : []) {
    if (!written.has(chunks + name)) rmSync(join(dist, chunks, name))
  }
}

/** What a package exports, but for what only our own tests use, and what is run by itself: the command, and the process of model files. `dist/store/describe-store.js` is made of
 *  `src/store/describe-store.ts`. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const sources = Object.values(exports).flatMap((entry) =>
    entry.default === undefined ? [] : (entry.source ?? []),
  )
  if (folder.endsWith('hashrange')) sources.push('./src/main.ts', './src/model-process.ts')
  return Object.fromEntries(
    sources.map((source) => [posix.relative('src', source).replace(/\.ts$/, ''), join(folder, source)]),
  )
}
