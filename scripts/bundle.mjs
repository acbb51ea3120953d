// Builds the code of the packages: each of their entries becomes one file of dist, and what is loaded later becomes a file in
// dist/chunks. A start then reads some forty files rather than three hundred. Types are the compiler's, which emits nothing else.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { entriesOf } from './entries-of.mjs'
import { insidePackages } from './packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = [...insidePackages, 'model', 'hashrange']

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
