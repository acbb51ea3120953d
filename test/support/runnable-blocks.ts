export interface CodeBlock {
  readonly language: string
  /** Where it begins, for whoever looks for it. */
  readonly line: number
  readonly text: string
}

const mark = '<!-- runs -->'

/** The fenced blocks of a Markdown text that say of themselves that they run: `<!-- runs -->` stands before them. */
export function runnableBlocks(markdown: string): readonly CodeBlock[] {
  const lines = markdown.split('\n')
  const blocks: CodeBlock[] = []
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== mark) continue
    const start = lines.findIndex((line, place) => place > at && line.trim() !== '')
    const language = /^```(sh|js)$/.exec(lines[start] ?? '')?.[1]
    const end = lines.indexOf('```', start + 1)
    if (language === undefined || end === -1)
      throw new Error(`No block of sh or js follows the mark in line ${at + 1}.`)
    blocks.push({ language, line: start + 1, text: lines.slice(start + 1, end).join('\n') })
  }
  return blocks
}
