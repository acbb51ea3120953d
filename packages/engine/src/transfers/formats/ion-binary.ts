import { IonFault, noSuchType } from './ion-faults.ts'
import { deepestIon, ionBinary, ionList, IonStruct, type IonValue } from './ion-values.ts'

/** The four bytes at the start of binary Ion, and of every part of it that starts again. */
export const ionVersionMarker = Buffer.of(0xe0, 0x01, 0x00, 0xea)

/** The first symbols of every symbol table; the first is the unknown one. */
const systemSymbols = [
  '$0',
  '$ion',
  '$ion_1_0',
  '$ion_symbol_table',
  'name',
  'version',
  'imports',
  'symbols',
  'max_id',
  '$ion_shared_symbol_table',
]
const symbolTable = 3
const importsField = 6
const symbolsField = 7

/** How many bytes the value at the start of `bytes` takes; undefined if that is not known yet. */
export function ionValueBytes(bytes: Buffer): number | undefined {
  const first = bytes[0]
  if (first === undefined) return undefined
  if (first === ionVersionMarker[0]) return ionVersionMarker.length
  // A length takes at most a few bytes: with this many available, it can be read.
  if (bytes.length < 11 && (first & 0x0f) >= 13) {
    const complete = bytes.subarray(1).some((byte) => (byte & 0x80) !== 0)
    if (!complete) return undefined
  }
  const cursor = new Cursor(bytes, 0, bytes.length)
  const { length } = readHeader(cursor)
  return cursor.position + length
}

/** Reads one value of binary Ion after another; a symbol table changes how the next ones are read. */
export class IonBinaryReader {
  #symbols: string[] = [...systemSymbols]

  /** The value; undefined for what is not a value of the file itself: a marker, a symbol table, padding. */
  read(bytes: Buffer): IonValue | undefined {
    if (bytes[0] === ionVersionMarker[0]) {
      if (!bytes.equals(ionVersionMarker)) throw new IonFault('The file is in no version of Ion that is known')
      this.#symbols = [...systemSymbols]
      return undefined
    }
    const cursor = new Cursor(bytes, 0, bytes.length)
    if (this.#readSymbolTable(bytes)) return undefined
    return this.#readValue(cursor, [], 0)
  }

  /** `$ion_symbol_table::{imports: …, symbols: ["…"]}` */
  #readSymbolTable(bytes: Buffer): boolean {
    const cursor = new Cursor(bytes, 0, bytes.length)
    if (readHeader(cursor).type !== 14) return false
    const annotationsEnd = cursor.readVarUint() + cursor.position
    if (cursor.readVarUint() !== symbolTable) return false
    cursor.position = annotationsEnd
    const struct = readHeader(cursor)
    if (struct.type !== 13) return false
    let symbols: string[] = [...systemSymbols]
    const added: string[] = []
    const end = cursor.position + struct.length
    while (cursor.position < end) {
      const field = cursor.readVarUint()
      const header = readHeader(cursor)
      const content = new Cursor(bytes, cursor.position, cursor.position + header.length)
      cursor.position += header.length
      if (field === importsField && !header.isNull) {
        if (header.type !== 7 || content.readUint(header.length) !== symbolTable) {
          throw new IonFault('The file needs a shared table of symbols, which is not at hand')
        }
        symbols = [...this.#symbols]
      } else if (field === symbolsField && header.type === 11) {
        while (content.position < content.end) {
          const entry = readHeader(content)
          added.push(entry.type === 8 ? content.take(entry.length).toString('utf8') : '$0')
          if (entry.type !== 8) content.position += entry.length
        }
      }
    }
    this.#symbols = symbols.concat(added)
    return true
  }

  #readValue(cursor: Cursor, annotations: readonly string[], depth: number): IonValue | undefined {
    if (depth > deepestIon) throw new IonFault('Nesting Levels have exceeded supported limits')
    const { type, length, isNull, low } = readHeader(cursor)
    if (isNull) return type === 0 || type < 14 ? { NULL: true } : undefined
    const content = new Cursor(cursor.bytes, cursor.position, cursor.position + length)
    cursor.position += length
    switch (type) {
      case 0:
        return undefined
      case 1:
        return { BOOL: low === 1 }
      case 2:
        return { N: content.readBigUint(length).toString() }
      case 3:
        return { N: (-content.readBigUint(length)).toString() }
      case 4:
        return { N: floatText(content, length) }
      case 5:
        return { N: decimalText(content) }
      case 6:
        throw noSuchType('timestamp')
      case 7:
        throw noSuchType('symbol')
      case 8:
        return { S: content.take(length).toString('utf8') }
      case 9:
        throw noSuchType('clob')
      case 10:
        return ionBinary(content.take(length))
      case 11:
        return ionList(annotations, this.#readElements(content, depth))
      case 12:
        throw noSuchType('sexp')
      case 13:
        return this.#readStruct(content, depth)
      case 14:
        return this.#readAnnotated(content, depth)
      default:
        throw new IonFault('The file is damaged')
    }
  }

  #readElements(content: Cursor, depth: number): readonly IonValue[] {
    const elements: IonValue[] = []
    while (content.position < content.end) {
      const element = this.#readValue(content, [], depth + 1)
      if (element !== undefined) elements.push(element)
    }
    return elements
  }

  #readStruct(content: Cursor, depth: number): IonValue {
    const struct = new IonStruct()
    while (content.position < content.end) {
      const name = this.#symbol(content.readVarUint())
      const value = this.#readValue(content, [], depth + 1)
      if (value !== undefined) struct.set(name, value)
    }
    return struct.value
  }

  #readAnnotated(content: Cursor, depth: number): IonValue | undefined {
    const annotations: string[] = []
    const end = content.readVarUint() + content.position
    while (content.position < end) annotations.push(this.#symbol(content.readVarUint()))
    return this.#readValue(content, annotations, depth + 1)
  }

  #symbol(id: number): string {
    const symbol = this.#symbols[id]
    if (symbol === undefined || id === 0) throw new IonFault(`The file has no symbol ${id}`)
    return symbol
  }
}

interface Header {
  readonly type: number
  readonly low: number
  readonly length: number
  readonly isNull: boolean
}

function readHeader(cursor: Cursor): Header {
  const byte = cursor.readByte()
  const type = byte >> 4
  const low = byte & 0x0f
  if (low === 15) return { type, low, length: 0, isNull: true }
  if (type === 1) return { type, low, length: 0, isNull: false }
  const isLong = low === 14 || (type === 13 && low === 1)
  return { type, low, length: isLong ? cursor.readVarUint() : low, isNull: false }
}

function floatText(content: Cursor, length: number): string {
  if (length === 0) return '0'
  const bytes = content.take(length)
  const value = length === 4 ? bytes.readFloatBE(0) : length === 8 ? bytes.readDoubleBE(0) : Number.NaN
  if (!Number.isFinite(value)) throw noSuchType('float')
  return String(value)
}

/** An exponent, then the digits as a whole number; nothing at all is zero. */
function decimalText(content: Cursor): string {
  if (content.position >= content.end) return '0'
  const exponent = content.readVarInt()
  const length = content.end - content.position
  if (length === 0) return '0'
  const first = content.bytes[content.position] ?? 0
  const magnitude = content.readBigUint(length) & ~(0x80n << BigInt(8 * (length - 1)))
  return `${(first & 0x80) === 0 ? '' : '-'}${magnitude}E${exponent}`
}

/** Reads bytes up to an end, and refuses to go beyond it. */
class Cursor {
  readonly bytes: Buffer
  readonly end: number
  position: number

  constructor(bytes: Buffer, position: number, end: number) {
    if (end > bytes.length) throw new IonFault('The file is damaged')
    this.bytes = bytes
    this.position = position
    this.end = end
  }

  readByte(): number {
    if (this.position >= this.end) throw new IonFault('The file is damaged')
    return this.bytes[this.position++] ?? 0
  }

  take(length: number): Buffer {
    if (length > this.end - this.position) throw new IonFault('The file is damaged')
    return this.bytes.subarray(this.position, (this.position += length))
  }

  /** Seven bits a byte; the last has the eighth set. */
  readVarUint(): number {
    let value = 0
    for (let count = 0; count < 7; count++) {
      const byte = this.readByte()
      value = value * 128 + (byte & 0x7f)
      if ((byte & 0x80) !== 0) return value
    }
    throw new IonFault('The file is damaged')
  }

  readVarInt(): number {
    const first = this.readByte()
    const sign = (first & 0x40) === 0 ? 1 : -1
    let value = first & 0x3f
    if ((first & 0x80) !== 0) return sign * value
    for (let count = 0; count < 6; count++) {
      const byte = this.readByte()
      value = value * 128 + (byte & 0x7f)
      if ((byte & 0x80) !== 0) return sign * value
    }
    throw new IonFault('The file is damaged')
  }

  readUint(length: number): number {
    return Number(this.readBigUint(length))
  }

  readBigUint(length: number): bigint {
    // The largest number of the service has 126 digits; more bytes than that could only be slow.
    if (length > 64) throw new IonFault('A number has too many digits')
    const hex = this.take(length).toString('hex')
    return hex === '' ? 0n : BigInt(`0x${hex}`)
  }
}
