/** One of the statements of a text. */
export interface StatementText {
  readonly text: string
  /** Where it stands in the whole text. */
  readonly start: number
  readonly end: number
  /** How many question marks it has. */
  readonly parameterCount: number
}

/** Cuts a text at the semicolons that stand outside of quotes and comments. What is empty is no statement. */
export function splitStatements(text: string): StatementText[] {
  const statements: StatementText[] = []
  let start = 0
  let parameterCount = 0
  let hasContent = false
  const finish = (end: number): void => {
    const piece = text.slice(start, end)
    const from = start + piece.length - piece.trimStart().length
    if (hasContent)
      statements.push({ text: piece.trim(), start: from, end: from + piece.trim().length, parameterCount })
    parameterCount = 0
    hasContent = false
    start = end + 1
  }
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at)
    const next = skip(text, at)
    if (next > at) {
      hasContent ||= character === "'" || character === '"'
      at = next
      continue
    }
    if (character === ';') finish(at)
    else {
      if (character === '?') parameterCount++
      hasContent ||= character.trim() !== ''
    }
    at++
  }
  finish(text.length)
  return statements
}

/** The end of a string, a name in quotes or a comment that begins here; the same place if none does. */
function skip(text: string, at: number): number {
  const character = text.charAt(at)
  if (character === "'" || character === '"') return endOf(text, character, at + 1)
  if (text.startsWith('--', at)) return endOf(text, '\n', at + 2)
  if (text.startsWith('/*', at)) return endOf(text, '*/', at + 2)
  return at
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end + mark.length
}
