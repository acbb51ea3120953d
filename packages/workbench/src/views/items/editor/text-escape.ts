/** Whether a text box would change it: boxes make one kind of line end of all, and some characters cannot be seen, or make
 *  others look as if they stood elsewhere. */
export function needsEscapes(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== tab && code !== newline && isTreacherous(text, at, code)) return true
  }
  return false
}

/** Such text as one can type it: `\r`, `\n`, `\u0000`, `\\`. */
export function escapeText(text: string): string {
  let escaped = ''
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== backslash && !isTreacherous(text, at, code)) continue
    escaped += text.slice(start, at) + (shorts.get(code) ?? `\\u${code.toString(16).padStart(4, '0')}`)
    start = at + 1
  }
  return escaped + text.slice(start)
}

/** The text that such text stands for. A backslash that begins no escape is a backslash. */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\(?:([\\nrt])|u([0-9a-fA-F]{4}))/g, (_, letter: string | undefined, code: string) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (letters.get(letter) ?? letter),
  )
}

const tab = 0x09
const newline = 0x0a
const backslash = 0x5c
const shorts = new Map([
  [backslash, '\\\\'],
  [newline, '\\n'],
  [0x0d, '\\r'],
  [tab, '\\t'],
])
const letters = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** Controls, separators of lines, marks that turn the direction of text, and halves of a surrogate pair. */
function isTreacherous(text: string, at: number, code: number): boolean {
  if (code < 0x20 || code === 0x7f || code === 0x85 || code === 0xfeff) return true
  if (code >= 0x2028 && code <= 0x202e) return true
  if (code >= 0x2066 && code <= 0x2069) return true
  if (code < 0xd800 || code > 0xdfff) return false
  const isHigh = code < 0xdc00
  const other = text.charCodeAt(isHigh ? at + 1 : at - 1)
  return isHigh ? !(other >= 0xdc00 && other <= 0xdfff) : !(other >= 0xd800 && other <= 0xdbff)
}
