import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the version to come changes. */
export interface NextVersion {
  /** Names its build. */
  readonly name: string
  /** From which version of the schema on servers can read and write it; none if those of this version still can. */
  readonly raises?: 'writableFrom'
  /** What its migration does. `data` stands for the table of items. */
  readonly statements: readonly string[]
}

/** Builds the command once more from the present sources, as the version that follows them: its schema and its format have the next number,
 *  and a migration leads there. A real build, which any clone can make, with or without its history. Answers what runs it. */
export async function buildNextVersion({ name, raises, statements }: NextVersion): Promise<string> {
  const folder = join(root, 'test', 'dist', `next-${name}`)
  const edits = new Map<string, (text: string) => string>([
    [
      'packages/postgres/src/schema/migrations.ts',
      (text) => {
        const current = Number(/schemaVersion = (\d+)/.exec(text)?.[1])
        const next = current + 1
        const writableFrom = raises === undefined ? current : next
        const quoted = statements.map((statement) => `\`${statement}\``).join(', ')
        const migration = `{ version: ${next}, readableFrom: ${current}, writableFrom: ${writableFrom}, statements: [${quoted}], distributed: [] },`
        return replaced(
          replaced(text, `schemaVersion = ${current}`, `schemaVersion = ${next}`),
          '\n  ]\n}\n',
          `\n    ${migration}\n  ]\n}\n`,
        )
      },
    ],
    [
      'packages/engine/src/layout/key-space.ts',
      (text) => replaced(text, 'format = { version: 1,', 'format = { version: 2,'),
    ],
  ])
  const applied = new Set<string>()
  const build = await rolldown({
    input: { main: join(root, 'packages', 'hashrange', 'src', 'main.ts') },
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@hashrange/'),
    plugins: [
      {
        name: 'next-version',
        transform: (code, id) => {
          const edit = [...edits].find(([path]) => id.replaceAll('\\', '/').endsWith(path))
          if (edit === undefined) return null
          applied.add(edit[0])
          return edit[1](code)
        },
      },
    ],
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  await build.write({ dir: folder, format: 'esm', chunkFileNames: 'chunks/[name].js' })
  await build.close()
  if (applied.size !== edits.size) throw new Error('what the next version changes was not found in the sources')
  return join(folder, 'main.js')
}

function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the sources do not contain: ${from}`)
  return text.replace(from, () => to)
}
