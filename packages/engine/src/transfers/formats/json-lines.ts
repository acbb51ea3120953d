import { isRecord } from '../../api/is-record.ts'
import { adjacentObjects } from './adjacent-objects.ts'
import type { ItemScanner } from './item-scanner.ts'
import { LineSplitter } from './line-splitter.ts'
import { rowTooLong, type Row, type RowDecoder } from './row-decoder.ts'

/** `{"Item": {…}}`, one per line: the contents of an export in DYNAMODB_JSON. Several on one line are read as well.
 *  With a scanner, most items are CanonicalItems. */
export class JsonLinesDecoder implements RowDecoder {
  readonly #lines = new LineSplitter()
  readonly #scanner: ItemScanner | undefined

  constructor(scanner?: ItemScanner) {
    this.#scanner = scanner
  }

  push(chunk: Uint8Array): readonly Row[] {
    const rows: Row[] = []
    this.#lines.push(chunk, (text, line) => this.#addRow(rows, text, line))
    return rows
  }

  end(): readonly Row[] {
    const rows: Row[] = []
    this.#lines.end((text, line) => this.#addRow(rows, text, line))
    return rows
  }

  #addRow(rows: Row[], text: string | undefined, line: number): void {
    if (text === undefined) {
      rows.push({ line, fault: rowTooLong })
    } else if (text.length > 0 && text.trim() !== '') {
      const item = this.#scanner?.scan(text)
      if (item === undefined) addParsed(rows, text, line)
      else rows.push({ line, item })
    }
  }
}

function addParsed(rows: Row[], text: string, line: number): void {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    const objects = adjacentObjects(text)
    if (objects !== undefined) for (const object of objects) addParsed(rows, object, line)
    else
      rows.push({ line, fault: `The line is not JSON: ${error instanceof Error ? error.message : String(error)}` })
    return
  }
  const item = isRecord(parsed) ? parsed['Item'] : undefined
  if (!isRecord(item) || Array.isArray(item)) rows.push({ line, fault: 'The line has no "Item"' })
  else rows.push({ line, item })
}
