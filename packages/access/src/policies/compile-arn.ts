import { compileText, type MatchText } from './compile-text.ts'
import type { TextOptions } from './text-tokens.ts'

/** A value of `ArnEquals` or `ArnLike`: each of the six parts of an ARN is compared by itself, so that no wildcard reaches over a
 *  colon. The last part is all that is left, colons included. */
export function compileArn(source: string, options: TextOptions): MatchText {
  const sources = arnParts(source)
  if (sources.length !== 6) return source === '*' ? (text) => arnParts(text).length === 6 : () => false
  const parts = sources.map((part) => compileText(part, options))
  return (text, context) => {
    const sent = arnParts(text)
    return sent.length === 6 && parts.every((matches, index) => matches(sent[index] ?? '', context))
  }
}

/** A value of `Resource`: a wildcard may reach over colons, and the parts that are missing at the end may be anything. */
export function compileResource(source: string, options: TextOptions): MatchText {
  if (source === '*') return () => true
  const missing = 6 - arnParts(source).length
  return compileText(source + ':*'.repeat(Math.max(missing, 0)), options)
}

/** At most six, cut at the colons that are not within a variable. */
function arnParts(text: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length && parts.length < 5; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x24 && text.charCodeAt(at + 1) === 0x7b) depth++
    else if (character === 0x7d && depth > 0) depth--
    else if (character === 0x3a && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
