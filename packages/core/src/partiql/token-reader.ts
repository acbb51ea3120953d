import { malformed } from './statement-errors.ts'
import type { Token, TokenKind } from './tokens.ts'
import { tokenize } from './tokens.ts'

/** Looks at a statement's tokens from left to right. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #position = 0
  #parameters = 0

  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  get current(): Token {
    return this.ahead(0)
  }

  ahead(distance: number): Token {
    const token = this.#tokens[this.#position + distance] ?? this.#tokens.at(-1)
    if (token === undefined) throw new Error('a statement ends with a token')
    return token
  }

  take(): Token {
    const token = this.current
    if (token.kind !== 'end') this.#position++
    return token
  }

  isAt(kind: TokenKind, text: string): boolean {
    return this.current.kind === kind && this.current.text === text
  }

  /** Takes the token if it is the one asked for. */
  accept(kind: TokenKind, text: string): boolean {
    if (!this.isAt(kind, text)) return false
    this.#position++
    return true
  }

  expect(kind: TokenKind, text: string): void {
    if (!this.accept(kind, text)) throw malformed(`Expected ${text.toUpperCase()}`)
  }

  /** The index of the parameter that is being read: they are numbered from left to right. */
  nextParameter(): number {
    return this.#parameters++
  }

  /** Whether the next token is this word, which is a keyword only in its place. */
  isWord(word: string): boolean {
    return this.current.kind === 'word' && this.current.text.toLowerCase() === word
  }

  get isName(): boolean {
    return this.current.kind === 'word' || this.current.kind === 'quoted'
  }

  /** A semicolon may end a statement, and nothing may follow it. */
  expectEnd(): void {
    this.accept('punctuation', ';')
    if (this.current.kind !== 'end') throw malformed('Unexpected token after expression')
  }
}
