import { StringDecoder } from 'node:string_decoder'
import { setAttribute, type AttributeValue, type KeyAttributeType } from '@hashrange/core'
import { longestRowBytes, rowTooLong, type Row, type RowDecoder } from './row-decoder.ts'

export interface CsvOptions {
  readonly delimiter: string
  /** The columns' names; without them, the first line of each file has them. */
  readonly header?: readonly string[] | undefined
  /** Columns that are keys, of the table or an index, have their type; all others are strings. */
  readonly keyTypes: Readonly<Record<string, KeyAttributeType>>
}

type State = 'field-start' | 'plain' | 'quoted' | 'quote-in-quoted'

/** Comma-separated values as in RFC 4180: a field with delimiters, quotes or line breaks is in quotes, and a quote
 *  within it is doubled. */
export class CsvDecoder implements RowDecoder {
  readonly #options: CsvOptions
  readonly #text = new StringDecoder('utf8')
  #header: readonly string[] | undefined
  /** A column that is there twice: one of its values would be lost. */
  #twice: string | undefined
  #state: State = 'field-start'
  #fields: string[] = []
  #field = ''
  #fault: string | undefined
  #rowLength = 0
  #line = 1
  /** The line on which the current row began: a row with line breaks within quotes goes over several. */
  #rowLine = 1
  #isFirst = true

  constructor(options: CsvOptions) {
    this.#options = options
    if (options.header !== undefined) this.#useHeader(options.header)
  }

  push(chunk: Uint8Array): readonly Row[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    return this.#read(this.#text.write(bytes))
  }

  end(): readonly Row[] {
    const rows = [...this.#read(this.#text.end())]
    if (this.#state === 'quoted') this.#fault ??= 'The row ends within a quoted field'
    if (this.#rowLength > 0) this.#endRow(rows)
    return rows
  }

  #read(chunk: string): readonly Row[] {
    const rows: Row[] = []
    let text = chunk
    if (this.#isFirst && text !== '') {
      this.#isFirst = false
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1)
    }
    let position = 0
    while (position < text.length) {
      // Text between two special characters is taken in one piece.
      const end = this.#state === 'quoted' ? endOfQuoted(text, position) : this.#endOfPlain(text, position)
      if (end > position) this.#take(text.slice(position, end))
      if (end < text.length) this.#step(text.charAt(end), rows)
      position = end + 1
    }
    return rows
  }

  #take(piece: string): void {
    this.#rowLength += piece.length
    if (this.#rowLength > longestRowBytes) {
      this.#fault = rowTooLong
      this.#field = ''
      return
    }
    if (this.#state === 'field-start') this.#state = 'plain'
    if (this.#state === 'quote-in-quoted') {
      if (piece !== '\r') this.#fault ??= 'A quoted field goes on after its closing quote'
      return
    }
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) this.#line++
    this.#field += piece
  }

  /** One character that means something: a quote, a delimiter or the end of a line. */
  #step(character: string, rows: Row[]): void {
    if (character === '"') {
      this.#rowLength++
      this.#stepQuote()
    } else if (character === '\n') {
      this.#line++
      if (this.#rowLength > 0) this.#endRow(rows)
      this.#rowLine = this.#line
    } else {
      this.#rowLength++
      this.#fields.push(this.#field)
      this.#field = ''
      this.#state = 'field-start'
    }
  }

  #stepQuote(): void {
    switch (this.#state) {
      case 'field-start':
        this.#state = 'quoted'
        return
      case 'plain':
        this.#fault ??= 'A quote stands within a field that is not quoted; double it and quote the field'
        this.#field += '"'
        return
      case 'quoted':
        this.#state = 'quote-in-quoted'
        return
      case 'quote-in-quoted':
        this.#field += '"'
        this.#state = 'quoted'
    }
  }

  #endRow(rows: Row[]): void {
    const endsWithReturn = this.#state === 'plain' && this.#field.endsWith('\r')
    const fields = [...this.#fields, endsWithReturn ? this.#field.slice(0, -1) : this.#field]
    const fault = this.#fault
    this.#fields = []
    this.#field = ''
    this.#state = 'field-start'
    this.#fault = undefined
    this.#rowLength = 0
    if (fault === undefined && fields.length === 1 && fields[0] === '') return
    const line = this.#rowLine
    if (fault !== undefined) rows.push({ line, fault })
    else if (this.#header === undefined) this.#useHeader(fields)
    else rows.push(this.#rowOf(this.#header, fields, line))
  }

  #useHeader(header: readonly string[]): void {
    this.#header = header
    const seen = new Set<string>()
    this.#twice = header.find((name) => seen.size === seen.add(name).size)
  }

  #rowOf(header: readonly string[], fields: readonly string[], line: number): Row {
    if (fields.length !== header.length) {
      return { line, fault: `The row has ${fields.length} columns, its header ${header.length}` }
    }
    if (this.#twice !== undefined) return { line, fault: `The header has the column "${this.#twice}" twice` }
    const item: Record<string, AttributeValue> = {}
    for (let column = 0; column < header.length; column++) {
      const name = header[column] ?? ''
      setAttribute(item, name, this.#valueOf(name, fields[column] ?? ''))
    }
    return { line, item }
  }

  #valueOf(name: string, text: string): AttributeValue {
    const type = Object.hasOwn(this.#options.keyTypes, name) ? this.#options.keyTypes[name] : undefined
    if (type === 'N') return { N: text }
    if (type === 'B') return { B: text }
    return { S: text }
  }

  #endOfPlain(text: string, from: number): number {
    const delimiter = this.#options.delimiter.charCodeAt(0)
    for (let position = from; position < text.length; position++) {
      const code = text.charCodeAt(position)
      if (code === delimiter || code === quote || code === newline) return position
    }
    return text.length
  }
}

const quote = 0x22
const newline = 0x0a

function endOfQuoted(text: string, from: number): number {
  const end = text.indexOf('"', from)
  return end < 0 ? text.length : end
}
