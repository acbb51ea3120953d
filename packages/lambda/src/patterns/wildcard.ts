import { PatternError } from './pattern.ts'

/** `*` stands for any characters, `\*` and `\\` for themselves. Takes time in proportion to text and pattern: it never
 *  tries a second way for an earlier `*`. */
export function wildcard(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern)
  const [first = ''] = parts
  if (parts.length === 1) return (text) => text === first
  const last = parts.at(-1) ?? ''
  const between = parts.slice(1, -1)
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    const end = text.length - last.length
    for (const part of between) {
      const found = text.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}

/** The text between the stars. */
function partsOf(pattern: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? ''
    if (character === '\\') {
      const next = pattern[++index]
      if (next !== '*' && next !== '\\') throw new PatternError('Invalid escape character in a wildcard.')
      part += next
    } else if (character === '*') {
      if (pattern[index + 1] === '*') throw new PatternError('Consecutive wildcard characters are not allowed.')
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part]
}
