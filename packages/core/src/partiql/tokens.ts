import { keywords, wordOperators } from './keywords.ts'
import { malformed, type MalformedStatement } from './statement-errors.ts'

/** Where a token stands, counted in characters from one. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly length: number
}

export type TokenKind =
  'word' | 'keyword' | 'quoted' | 'string' | 'number' | 'operator' | 'parameter' | 'punctuation' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** Keywords and operators in lower case, names and strings without their quotes, everything else as it is written. */
  readonly text: string
  readonly at: Position
}

/** Splits a statement into tokens; the last is of kind `end`. Comments count as space. */
export function tokenize(text: string): readonly Token[] {
  return new Lexer(text).tokens()
}

/** Longer ones first. */
const symbols = '<< >> <= >= <> != || = < > + - * / % ( ) [ ] { } , . : ; ?'.split(' ')
const operatorSymbols: ReadonlySet<string> = new Set('<= >= <> != || = < > + - * / %'.split(' '))

class Lexer {
  readonly #text: string
  #offset = 0
  #line = 1
  #lineStart = 0

  constructor(text: string) {
    this.#text = text
  }

  tokens(): readonly Token[] {
    const tokens: Token[] = []
    for (;;) {
      this.#skipSpace()
      const token = this.#token()
      tokens.push(token)
      if (token.kind === 'end') return tokens
    }
  }

  #token(): Token {
    const start = this.#offset
    const code = this.#text.charCodeAt(start)
    if (start >= this.#text.length) return this.#made('end', start, '')
    if (isWordStart(code)) return this.#word(start)
    if (isDigit(code) || (code === 0x2e && isDigit(this.#text.charCodeAt(start + 1)))) return this.#number(start)
    if (code === 0x27) return this.#made('string', start, this.#quoted(start, "'"))
    if (code === 0x22) return this.#made('quoted', start, this.#quoted(start, '"'))
    const symbol = symbols.find((candidate) => this.#text.startsWith(candidate, start))
    if (symbol === undefined) throw this.#refusal(start)
    this.#offset = start + symbol.length
    if (symbol === '?') return this.#made('parameter', start, symbol)
    if (symbol === '!=') return this.#made('operator', start, '<>')
    return this.#made(operatorSymbols.has(symbol) ? 'operator' : 'punctuation', start, symbol)
  }

  #word(start: number): Token {
    let end = start + 1
    while (isWordPart(this.#text.charCodeAt(end))) end++
    this.#offset = end
    const word = this.#text.slice(start, end)
    const lower = word.toLowerCase()
    if (wordOperators.has(lower)) return this.#made('operator', start, lower)
    return keywords.has(lower) ? this.#made('keyword', start, lower) : this.#made('word', start, word)
  }

  /** A number's exponent, and its scale, must be what 32 bits can hold. */
  #number(start: number): Token {
    let end = this.#digitsFrom(start)
    let fractionDigits = 0
    if (this.#text.charCodeAt(end) === 0x2e) {
      const fractionEnd = this.#digitsFrom(end + 1)
      fractionDigits = fractionEnd - end - 1
      end = fractionEnd
    }
    const letter = this.#text.charCodeAt(end)
    if (letter === 0x65 || letter === 0x45) {
      const sign = this.#text.charCodeAt(end + 1)
      const digitsStart = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1
      const digitsEnd = this.#digitsFrom(digitsStart)
      if (digitsEnd === digitsStart) throw this.#refusal(start)
      const exponent = Number(this.#text.slice(end + 1, digitsEnd))
      if (!isInt32(exponent) || !isInt32(fractionDigits - exponent)) throw this.#refusal(start)
      end = digitsEnd
    }
    if (isWordPart(this.#text.charCodeAt(end))) throw this.#refusal(start)
    this.#offset = end
    return this.#made('number', start, this.#text.slice(start, end))
  }

  #digitsFrom(start: number): number {
    let end = start
    while (isDigit(this.#text.charCodeAt(end))) end++
    return end
  }

  /** Text in quotes, in which a doubled quote stands for one. */
  #quoted(start: number, quote: string): string {
    let content = ''
    let from = start + 1
    for (;;) {
      const end = this.#text.indexOf(quote, from)
      if (end < 0) throw this.#refusal(start)
      content += this.#text.slice(from, end)
      this.#offset = end + 1
      if (this.#text.charAt(end + 1) !== quote) return content
      content += quote
      from = end + 2
    }
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#offset)
      if (code === 0x0a) {
        this.#offset++
        this.#line++
        this.#lineStart = this.#offset
      } else if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) {
        this.#offset++
      } else if (code === 0x2d && this.#text.charCodeAt(this.#offset + 1) === 0x2d) {
        const end = this.#text.indexOf('\n', this.#offset)
        this.#offset = end < 0 ? this.#text.length : end
      } else if (code === 0x2f && this.#text.charCodeAt(this.#offset + 1) === 0x2a) {
        this.#skipBlockComment()
      } else {
        return
      }
    }
  }

  #skipBlockComment(): void {
    const end = this.#text.indexOf('*/', this.#offset + 2)
    if (end < 0) throw this.#refusal(this.#offset)
    for (
      let at = this.#text.indexOf('\n', this.#offset);
      at >= 0 && at < end;
      at = this.#text.indexOf('\n', at + 1)
    ) {
      this.#line++
      this.#lineStart = at + 1
    }
    this.#offset = end + 2
  }

  #refusal(start: number): MalformedStatement {
    return malformed('', { line: this.#line, column: start - this.#lineStart + 1, length: 1 })
  }

  #made(kind: TokenKind, start: number, text: string): Token {
    const at = { line: this.#line, column: start - this.#lineStart + 1, length: this.#offset - start }
    return { kind, text, at }
  }
}

function isInt32(value: number): boolean {
  return value === (value | 0)
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isWordStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24
}

function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code)
}
