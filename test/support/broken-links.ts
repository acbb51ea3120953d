import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The links of a Markdown document that lead nowhere, as `document: link`. Addresses of other machines are not asked. */
export function brokenLinks(root: string, document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8')
  return linksOf(text)
    .filter((link) => !/^[a-z]+:/.test(link) && !isFound(root, document, link))
    .map((link) => `${document}: ${link}`)
}

function isFound(root: string, document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#', 2)
  const path = file === '' ? join(root, document) : join(root, normalize(join(dirname(document), file)))
  if (!existsSync(path)) return false
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(readFileSync(path, 'utf8')).has(anchor)
}

function linksOf(text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, link]) => link ?? '')
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.*)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let name = anchor
    for (let again = 1; anchors.has(name); again++) name = `${anchor}-${again}`
    anchors.add(name)
  }
  return anchors
}

/** What looks like a link in code is none. */
function withoutCode(text: string): string {
  return text.replaceAll(/^\s*```[\s\S]*?^\s*```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}
