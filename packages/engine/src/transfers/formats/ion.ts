import { IonBinaryReader, ionValueBytes, ionVersionMarker } from './ion-binary.ts'
import { IonFault, notAnItem } from './ion-faults.ts'
import { readIonLine } from './ion-text.ts'
import { itemOf } from './ion-values.ts'
import { LineSplitter } from './line-splitter.ts'
import { longestRowBytes, rowTooLong, type Row, type RowDecoder } from './row-decoder.ts'

/** Ion, as text with one item per line or in its binary form; the first byte says which. */
export class IonDecoder implements RowDecoder {
  #decoder: RowDecoder | undefined

  push(chunk: Uint8Array): readonly Row[] {
    if (chunk.length === 0) return []
    this.#decoder ??= chunk[0] === ionVersionMarker[0] ? new IonBinaryDecoder() : new IonTextDecoder()
    return this.#decoder.push(chunk)
  }

  end(): readonly Row[] {
    return this.#decoder?.end() ?? []
  }
}

class IonTextDecoder implements RowDecoder {
  readonly #lines = new LineSplitter()

  push(chunk: Uint8Array): readonly Row[] {
    const rows: Row[] = []
    this.#lines.push(chunk, (text, line) => addRow(rows, text, line))
    return rows
  }

  end(): readonly Row[] {
    const rows: Row[] = []
    this.#lines.end((text, line) => addRow(rows, text, line))
    return rows
  }
}

function addRow(rows: Row[], text: string | undefined, line: number): void {
  if (text === undefined) rows.push({ line, fault: rowTooLong })
  else if (!isBlank(text)) rows.push(readRow(line, () => readIonLine(text)))
}

/** A line that holds nothing but the marker of Ion's version is no row. */
function isBlank(text: string): boolean {
  const trimmed = text.trim()
  return trimmed === '' || trimmed === '$ion_1_0'
}

function readRow(line: number, read: () => unknown): Row {
  try {
    return { line, item: read() }
  } catch (error) {
    if (error instanceof IonFault) return { line, fault: error.message }
    throw error
  }
}

/** Binary Ion has no lines: its rows are numbered. After damage, nothing that follows can be read. */
class IonBinaryDecoder implements RowDecoder {
  readonly #reader = new IonBinaryReader()
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #neededBytes = 1
  #row = 0
  #isDamaged = false

  push(chunk: Uint8Array): readonly Row[] {
    if (this.#isDamaged) return []
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    return this.#pendingBytes < this.#neededBytes ? [] : this.#readAll()
  }

  end(): readonly Row[] {
    if (this.#isDamaged || this.#pendingBytes === 0) return []
    return [{ line: this.#row + 1, fault: 'The file ends within a value' }]
  }

  #readAll(): readonly Row[] {
    const rows: Row[] = []
    let bytes = Buffer.concat(this.#pending)
    try {
      for (;;) {
        const length = ionValueBytes(bytes)
        if (length !== undefined && length > longestRowBytes) throw new IonFault(rowTooLong)
        this.#neededBytes = length ?? bytes.length + 1
        if (length === undefined || length > bytes.length) break
        this.#readOne(bytes.subarray(0, length), rows)
        bytes = bytes.subarray(length)
      }
    } catch (error) {
      if (!(error instanceof IonFault)) throw error
      this.#isDamaged = true
      rows.push({ line: this.#row + 1, fault: `${error.message}; the rest of the file is not read` })
    }
    this.#pending = [bytes]
    this.#pendingBytes = bytes.length
    return rows
  }

  #readOne(bytes: Buffer, rows: Row[]): void {
    const line = this.#row + 1
    let isRow = true
    const row = readRow(line, () => {
      const value = this.#reader.read(bytes)
      isRow = value !== undefined
      const item = value === undefined ? undefined : itemOf(value)
      if (isRow && item === undefined) throw notAnItem()
      return item
    })
    if (!isRow) return
    this.#row = line
    rows.push(row)
  }
}
