import { textOf, type Source } from './syntax.ts'

/** Replaces a part of a text. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The text with all edits made; where two overlap, the one that begins first counts. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let at = 0
  for (const { from, to, insert } of edits.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < at) continue
    result += text.slice(at, from) + insert
    at = to
  }
  return result + text.slice(at)
}

/** A text as a literal, in the quotation marks that the file uses. */
export function quoted(source: Source, value: string): string {
  const json = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  if (usesDoubleQuotes(source)) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function usesDoubleQuotes({ text }: Source): boolean {
  return /from\s*"/.test(text) && !/from\s*'/.test(text)
}

export function listText(source: Source, values: readonly string[]): string {
  return `[${values.map((each) => quoted(source, each)).join(', ')}]`
}

/** As the file writes long numbers. */
export function numberText({ text }: Source, value: number): string {
  const plain = String(value)
  if (!/\d_\d{3}/.test(text) || !/^\d{5,}$/.test(plain)) return plain
  return plain.replaceAll(/\B(?=(\d{3})+$)/g, '_')
}

export function nameText(source: Source, name: string): string {
  return isIdentifier(name) ? name : quoted(source, name)
}

function isIdentifier(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)
}

/** The white space at the beginning of the line of a place. */
export function indentAt({ text }: Source, at: number): string {
  const start = lineStart(text, at)
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Where the line ends, before its line break. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  const found = end < 0 ? text.length : end
  return text[found - 1] === '\r' && found - 1 >= at ? found - 1 : found
}

export function newlineOf({ text }: Source): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** Whether only white space is between two places. */
export function isBlank(source: Source, from: number, to: number): boolean {
  return textOf(source, { from, to }).trim() === ''
}
