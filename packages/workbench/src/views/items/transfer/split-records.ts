/** A record of a file: one JSON value, or the cells of one line of CSV. */
export interface FileRecord<Content> {
  readonly line: number
  readonly content: Content
}

/** Cuts a stream of text into records. Text comes in pieces of any size; a piece that is not yet a record waits for the next. */
export interface Splitter<Content> {
  push(text: string): FileRecord<Content>[]
  /** What is left when the text is over. */
  end(): FileRecord<Content>[]
}

/** One record is no larger than this: the service's items are far smaller. */
const mostCharacters = 8_000_000

/** The values of a JSON array, or JSON values one after the other. */
export class JsonSplitter implements Splitter<string> {
  #depth = 0
  #isInString = false
  #isEscaped = false
  #hasBegun = false
  #pending = ''
  #line = 1
  #startLine = 1

  push(text: string): FileRecord<string>[] {
    const records: FileRecord<string>[] = []
    let start = this.#pending === '' ? -1 : 0
    for (let at = 0; at < text.length; at++) {
      const character = text[at]
      if (character === '\n') this.#line++
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (character === '\\') this.#isEscaped = true
        else if (character === '"') this.#isInString = false
        continue
      }
      if (character === '"') {
        this.#isInString = true
        if (start < 0) start = this.#begin(at)
      } else if (character === '{' || character === '[') {
        if (!this.#hasBegun && character === '[') {
          this.#hasBegun = true
          continue
        }
        this.#hasBegun = true
        if (start < 0) start = this.#begin(at)
        this.#depth++
      } else if (character === '}' || character === ']') {
        if (this.#depth === 0) {
          this.#flush(records, text.slice(Math.max(0, start), at), start)
          start = -1
          continue
        }
        this.#depth--
        if (this.#depth === 0) {
          this.#flush(records, text.slice(Math.max(0, start), at + 1), start)
          start = -1
        }
      } else if (this.#depth === 0 && (character === ',' || isSpace(character))) {
        this.#flush(records, text.slice(Math.max(0, start), at), start)
        start = -1
      } else if (start < 0 && character !== '\ufeff' && !isSpace(character)) {
        this.#hasBegun = true
        start = this.#begin(at)
      }
    }
    if (start >= 0) this.#pending += text.slice(start)
    if (this.#pending.length > mostCharacters) {
      throw new Error(`The value that begins on line ${String(this.#startLine)} is too large to be an item.`)
    }
    return records
  }

  end(): FileRecord<string>[] {
    const content = this.#pending.trim()
    this.#pending = ''
    return content === '' ? [] : [{ line: this.#startLine, content }]
  }

  #begin(at: number): number {
    this.#startLine = this.#line
    return at
  }

  #flush(records: FileRecord<string>[], rest: string, start: number): void {
    if (start < 0 && this.#pending === '') return
    const content = this.#pending + rest
    this.#pending = ''
    if (content.trim() !== '') records.push({ line: this.#startLine, content })
  }
}

/** The lines of CSV by RFC 4180, whatever ends them; quoted cells may hold line ends. */
export class CsvSplitter implements Splitter<readonly string[]> {
  readonly #separator: string
  #cells: string[] = []
  #cell = ''
  #isQuoted = false
  #wasQuote = false
  #wasReturn = false
  #line = 1
  #startLine = 1

  constructor(separator = ',') {
    this.#separator = separator
  }

  push(text: string): FileRecord<readonly string[]>[] {
    const records: FileRecord<readonly string[]>[] = []
    for (const character of text) {
      if (character === '\n') this.#line++
      if (this.#isQuoted && !this.#wasQuote) {
        if (character === '"') this.#wasQuote = true
        else this.#add(character)
        continue
      }
      if (this.#wasQuote) {
        this.#wasQuote = false
        if (character === '"') {
          this.#add('"')
          continue
        }
        this.#isQuoted = false
      }
      if (character === '"' && this.#cell === '') this.#isQuoted = true
      else if (character === this.#separator) this.#endCell()
      else if (character === '\n' || character === '\r') {
        if (!(character === '\n' && this.#wasReturn)) this.#endLine(records)
        else this.#startLine = this.#line
      } else if (character !== '\ufeff' || this.#line > 1) this.#add(character)
      this.#wasReturn = character === '\r'
    }
    return records
  }

  end(): FileRecord<readonly string[]>[] {
    const records: FileRecord<readonly string[]>[] = []
    this.#endLine(records)
    return records
  }

  #add(character: string): void {
    this.#cell += character
    if (this.#cell.length > mostCharacters) {
      throw new Error(`The cell on line ${String(this.#startLine)} is too large. Is a quote missing?`)
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#isQuoted = this.#wasQuote = false
  }

  #endLine(records: FileRecord<readonly string[]>[]): void {
    this.#endCell()
    if (this.#cells.length > 1 || this.#cells[0] !== '')
      records.push({ line: this.#startLine, content: this.#cells })
    this.#cells = []
    this.#startLine = this.#line
  }
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}
