import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** TypeDoc numbers the anchor of some types though no other heading of the page has their name. */
export function mendAnchors(folder) {
  const pages = filesIn(folder, '.md')
  const namesOf = new Map(pages.map((page) => [page, headings(page)]))
  for (const page of pages) {
    const text = readFileSync(page, 'utf8')
    const mended = text.replaceAll(/\]\(([^()#\s]*)#([\w-]+)-(\d+)\)/g, (link, path, name, number) => {
      const names = namesOf.get(path === '' ? page : join(dirname(page), path)) ?? []
      const count = names.filter((each) => each === name).length
      return count > 0 && count <= Number(number) ? `](${path}#${name})` : link
    })
    if (mended !== text) writeFileSync(page, mended)
  }
}

/** Rejects a site with links to a heading that is not there: VitePress only looks for the page. */
export function checkAnchors(folder, base) {
  const pages = filesIn(folder, '.html')
  const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]))
  const idsOf = new Map(
    pages.map((page) => [page, new Set([...texts.get(page).matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))]),
  )
  const broken = new Set()
  for (const page of pages) {
    for (const [, path, anchor] of texts.get(page).matchAll(/<a [^>]*href="([^":#?]*)#([^"]+)"/g)) {
      const ids = idsOf.get(pageAt(page, path))
      if (ids !== undefined && !ids.has(decodeURIComponent(anchor))) {
        broken.add(`${relative(folder, page)}: ${path}#${anchor}`)
      }
    }
  }
  if (broken.size > 0)
    throw new Error(`These links lead to headings that are not there:\n${[...broken].join('\n')}`)

  function pageAt(page, path) {
    if (path === '') return page
    const place = path.startsWith('/') ? join(folder, path.slice(base.length)) : join(dirname(page), path)
    return existsSync(`${place}.html`) ? `${place}.html` : place
  }
}

function headings(page) {
  const lines = readFileSync(page, 'utf8').matchAll(/^#{1,6} (.+)$/gm)
  return [...lines].map(([, text]) => text.toLowerCase().replaceAll(/[^\w-]/g, ''))
}

function filesIn(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
}
