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
  const places = new Places(text)
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
        found.push({ StartPosition: places.of(start), EndPosition: places.of(at + 1) })
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

/** Counts on from a place that is known. */
class Places {
  readonly #text: string
  #at = 0
  #line = 1
  #lineStart = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Of an offset that is not before the last one. */
  of(offset: number): Position {
    for (; this.#at < offset; this.#at++) {
      if (this.#text[this.#at] !== '\n') continue
      this.#line++
      this.#lineStart = this.#at + 1
    }
    return { Line: this.#line, Column: offset - this.#lineStart + 1 }
  }
}
