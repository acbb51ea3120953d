/** One thing that a reader of the tutorial does. */
export type TutorialStep =
  | {
      readonly kind: 'run'
      readonly line: number
      readonly script: string
      readonly fails: boolean
      readonly shows: string
    }
  | { readonly kind: 'edit'; readonly line: number; readonly file: string; readonly diff: string }
  | { readonly kind: 'write'; readonly line: number; readonly file: string; readonly text: string }

/** The steps of a Markdown text: fenced blocks behind `<!-- step -->`, `<!-- step: fails -->` or `<!-- step: FILE -->`. A block of
 *  text after a command shows what it prints. */
export function tutorialSteps(markdown: string): readonly TutorialStep[] {
  const lines = markdown.split('\n')
  const steps: TutorialStep[] = []
  for (const [at, mark] of lines.entries()) {
    const [isStep, word = ''] = /^<!-- step(?:: (\S+))? -->$/.exec(mark) ?? []
    if (isStep === undefined) continue
    const block = blockAfter(lines, at)
    if (block === undefined) throw new Error(`No block follows the mark in line ${at + 1}.`)
    steps.push(stepOf(lines, block, word))
  }
  return steps
}

interface Block {
  readonly language: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The fenced block that begins in the next line that is not empty. */
function blockAfter(lines: readonly string[], at: number): Block | undefined {
  const start = lines.findIndex((line, place) => place > at && line.trim() !== '')
  const language = /^```(\w+)$/.exec(lines[start] ?? '')?.[1]
  if (language === undefined) return undefined
  const end = lines.indexOf('```', start + 1)
  return { language, start, end, text: lines.slice(start + 1, end).join('\n') }
}

function stepOf(lines: readonly string[], { language, start, end, text }: Block, word: string): TutorialStep {
  const line = start + 1
  if (language === 'diff') return { kind: 'edit', line, file: word, diff: text }
  if (language !== 'sh') return { kind: 'write', line, file: word, text: `${text}\n` }
  const shown = blockAfter(lines, end)
  const shows = shown?.language === 'text' ? shown.text : ''
  return { kind: 'run', line, script: text, fails: word === 'fails', shows }
}

/** The file after the change: lines without a sign and with a minus must be there, one after another, exactly once. */
export function applyDiff(content: string, diff: string): string {
  const changes = diff.split('\n').map((line) => ({ sign: line.charAt(0), text: line.slice(1) }))
  const before = changes.filter(({ sign }) => sign !== '+').map(({ text }) => text)
  const after = changes.filter(({ sign }) => sign !== '-').map(({ text }) => text)
  const parts = `\n${content}`.split(`\n${before.join('\n')}\n`)
  if (parts.length !== 2)
    throw new Error(`The file has these lines ${parts.length - 1} times:\n${before.join('\n')}`)
  return parts.join(`\n${after.join('\n')}\n`).slice(1)
}

/** What is shown as a pattern: an ellipsis stands for anything. */
export function shownPattern(shows: string): RegExp {
  const pieces = shows.split('…').map((piece) => piece.trim().replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return new RegExp(pieces.join('[^]*?'))
}
