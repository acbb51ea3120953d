/** A place in a document, counted from 1, as IAM tells it. */
export interface Position {
  readonly Line: number
  readonly Column: number
}

export interface Extent {
  readonly StartPosition: Position
  readonly EndPosition: Position
}

/** Where the statements of a policy document stand in its text: from the brace that opens each to the character after the one that closes it. The text is valid JSON. */
export function statementPositions(text: string): readonly Extent[] {
  const found: Extent[] = []
  let depth = 0
  let isStatement = false
  let start = -1
  let startDepth = -1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      if (depth === 1 && /^\s*:/.test(text.slice(end + 1, end + 200))) {
        isStatement = text.slice(at + 1, end) === 'Statement'
      }
      at = end
    } else if (character === '{' || character === '[') {
      depth++
      if (character === '{' && isStatement && start < 0) {
        start = at
        startDepth = depth
      }
    } else if (character === '}' || character === ']') {
      if (start >= 0 && depth === startDepth) {
        found.push({ StartPosition: positionOf(text, start), EndPosition: positionOf(text, at + 1) })
        start = -1
      }
      depth--
    }
  }
  return found
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n')
  return { Line: before.length, Column: (before.at(-1)?.length ?? 0) + 1 }
}
