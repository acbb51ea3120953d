// Copies the documents of a checkout to where the generator reads them. Documents link to each other and to code by their places in the
// repository, so that they can be read there too: links to what is not part of the site are turned towards the repository.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

export const repository = 'https://github.com/hashrange/hashrange'

/** What stands at the top of the repository, and belongs to the site. */
const about = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'UPGRADING.md']

export function stage({ root, target, ref }) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const path of [...filesIn(root, 'docs'), ...about.filter((name) => existsSync(join(root, name)))]) {
    const place = join(target, placeOf(path))
    mkdirSync(dirname(place), { recursive: true })
    if (!path.endsWith('.md')) cpSync(join(root, path), place)
    else writeFileSync(place, turnLinks({ root, path, ref, text: readFileSync(join(root, path), 'utf8') }))
  }
}

/** Where a file of the repository is in the site. */
function placeOf(path) {
  const place = path.startsWith('docs/') ? path.slice('docs/'.length) : `about/${path.toLowerCase()}`
  return place.replace(/(^|\/)README\.md$/, '$1index.md')
}

function isStaged(path) {
  return path.startsWith('docs/') || about.includes(path)
}

/** Code is left as it is: what looks like a link there is none. */
function turnLinks({ root, path, ref, text }) {
  const here = dirname(placeOf(path))
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode
      return isCode
        ? line
        : line.replaceAll(/(\]\()([^)\s]+)(\))/g, (_, open, link, close) => open + turn(link) + close)
    })
    .join('\n')

  function turn(link) {
    if (/^([a-z]+:|#)/.test(link)) return link
    const [file, anchor] = link.split('#', 2)
    const named = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '')
    const aim = aimOf(root, named)
    const ending = anchor === undefined ? '' : `#${anchor}`
    if (!isStaged(aim)) return `${repository}/${kindOf(root, aim)}/${ref}/${aim}${ending}`
    const way = posix.relative(here, placeOf(aim))
    return `${way.startsWith('.') ? '' : './'}${way}${ending}`
  }
}

/** A folder is its README; the list of decisions is written for the site. */
function aimOf(root, path) {
  if (path === 'docs/decisions') return 'docs/decisions/README.md'
  const readme = `${path}/README.md`
  return existsSync(join(root, readme)) ? readme : path
}

function kindOf(root, path) {
  return existsSync(join(root, path)) && statSync(join(root, path)).isDirectory() ? 'tree' : 'blob'
}

/** Hard decisions have no page that lists them in the repository: the folder does. */
export function writeDecisions(target) {
  const lines = decisionsIn(target).map(({ name, title }) => `- [${title}](./${name})`)
  const text = `# Decisions\n\nThe reasons behind hard decisions, in the order in which they were made.\n\n${lines.join('\n')}\n`
  writeFileSync(join(target, 'decisions', 'index.md'), text)
}

export function decisionsIn(target) {
  const folder = join(target, 'decisions')
  return readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()
    .map((name) => ({ name, title: readFileSync(join(folder, name), 'utf8').split('\n', 1)[0].replace(/^# /, '') }))
}

function filesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
}
