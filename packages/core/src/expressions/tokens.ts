/** A keyword or a punctuation mark is its own kind. */
export type TokenKind = 'word' | 'alias' | 'placeholder' | 'integer' | 'illegal' | 'end' | Keyword | Punctuation

export type Keyword = 'AND' | 'OR' | 'NOT' | 'BETWEEN' | 'IN' | 'SET' | 'REMOVE' | 'ADD' | 'DELETE'
type Punctuation = '=' | '<>' | '<' | '<=' | '>' | '>=' | '(' | ')' | '[' | ']' | ',' | '.' | '+' | '-'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Splits an expression into tokens; the last is of kind `end`. A character that cannot start a token becomes an
 *  `illegal` token, which no grammar accepts, so the parser reports it at its position, as the service does. Every
 *  language has all keywords: the service also rejects `set` as a name in a filter. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let position = 0
  for (;;) {
    while (isWhitespace(text.charCodeAt(position))) position++
    if (position >= text.length) break
    const start = position
    const kind = kindAt(text, start)
    position = endOf(text, start, kind)
    const lexeme = text.slice(start, position)
    tokens.push({ kind: finalKind(kind, lexeme), text: lexeme, start, end: position })
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: text.length, end: text.length })
  return tokens
}

const keywords: ReadonlyMap<string, Keyword> = new Map(
  (['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE'] as const).map((word) => [word, word]),
)

const punctuation: ReadonlyMap<string, Punctuation> = new Map(
  (['=', '<', '>', '(', ')', '[', ']', ',', '.', '+', '-'] as const).map((mark) => [mark, mark]),
)

function kindAt(text: string, start: number): TokenKind {
  const code = text.charCodeAt(start)
  if (isLetter(code)) return 'word'
  if (isDigit(code)) return 'integer'
  const character = text.charAt(start)
  if (character === '#' || character === ':') {
    if (!isWordPart(text.charCodeAt(start + 1))) return 'illegal'
    return character === '#' ? 'alias' : 'placeholder'
  }
  if (character === '<' || character === '>') {
    const next = text.charAt(start + 1)
    if (next === '=') return character === '<' ? '<=' : '>='
    if (character === '<' && next === '>') return '<>'
  }
  return punctuation.get(character) ?? 'illegal'
}

function endOf(text: string, start: number, kind: TokenKind): number {
  let end = start + 1
  if (kind === 'word' || kind === 'alias' || kind === 'placeholder') {
    while (isWordPart(text.charCodeAt(end))) end++
  } else if (kind === 'integer') {
    // No integer but zero begins with a zero: `01` is two tokens.
    if (text.charAt(start) !== '0') while (isDigit(text.charCodeAt(end))) end++
  } else if (kind === '<=' || kind === '>=' || kind === '<>' || (text.codePointAt(start) ?? 0) > 0xffff) {
    end++
  }
  return end
}

function finalKind(kind: TokenKind, lexeme: string): TokenKind {
  if (kind !== 'word' || lexeme.length > 7) return kind
  return keywords.get(lexeme.toUpperCase()) ?? kind
}

function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isWordPart(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f
}
