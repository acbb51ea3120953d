import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { brokenLinks } from './support/broken-links.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const isDocument = (name: string): boolean =>
  name.endsWith('.md') && !/node_modules|\/dist\/|(^|\/)staged\//.test(name)
const documents = [
  ...readdirSync(root),
  ...['docs', 'packages', 'examples', 'deploy', 'action', 'site'].flatMap((folder) =>
    foldersOf(folder).flatMap((place) => readdirSync(join(root, place)).map((name) => `${place}/${name}`)),
  ),
].filter(isDocument)

/** Documents stand near the top; sources, which are many, have none. */
function foldersOf(folder: string): readonly string[] {
  const inside = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules|dist|src|staged|built|\..*)$/.test(entry.name))
    .map(({ name }) => `${folder}/${name}`)
  return [folder, ...inside]
}

test('no document links to what is not there', () => {
  expect(documents.length).toBeGreaterThan(50)
  expect(documents.flatMap((document) => brokenLinks(root, document))).toEqual([])
})

test('every page of the documentation is found by its task', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const menu = readFileSync(join(root, 'site/.vitepress/tasks.mjs'), 'utf8')
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  expect(pages.filter((name) => !index.includes(`(${name})`))).toEqual([])
  expect(pages.filter((name) => !menu.includes(`'/${name.replace('.md', '')}'`))).toEqual([])
})
