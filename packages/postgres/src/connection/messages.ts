import type { Statement } from './statement.ts'

/** A parameter in PostgreSQL's binary form: numbers as `int4`, big integers as `int8`, bytes as they are. */
export type Parameter = number | bigint | Uint8Array

/** The messages of PostgreSQL's protocol that we need (PostgreSQL's manual, "Frontend/Backend Protocol"), collected
 *  so that several are sent together. All parameters and results are binary. */
export class Outbox {
  #bytes = Buffer.allocUnsafe(4_096)
  #length = 0

  parse({ name, text, types }: Statement): void {
    const start = this.#begin(0x50)
    this.#text(name)
    this.#text(text)
    this.#int16(types.length)
    for (const type of types) this.#int32(type)
    this.#end(start)
  }

  /** Runs a prepared statement to its end. */
  execute(name: string, parameters: readonly Parameter[]): void {
    const start = this.#begin(0x42)
    this.#int8(0)
    this.#text(name)
    this.#int16(1)
    this.#int16(1)
    this.#int16(parameters.length)
    for (const parameter of parameters) this.#parameter(parameter)
    this.#int16(1)
    this.#int16(1)
    this.#end(start)
    this.#fixed(executeMessage)
  }

  sync(): void {
    this.#fixed(syncMessage)
  }

  flush(): void {
    this.#fixed(flushMessage)
  }

  /** What was collected, which belongs to the caller until `sent`. */
  collected(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Begins anew. `isOver` says that the system has copied the bytes, and that their place can be used again. */
  sent(isOver: boolean): void {
    if (!isOver || this.#bytes.length > 65_536) {
      this.#bytes = Buffer.allocUnsafe(Math.min(Math.max(this.#length, 4_096), 65_536))
    }
    this.#length = 0
  }

  #parameter(parameter: Parameter): void {
    if (typeof parameter === 'number') {
      this.#int32(4)
      this.#int32(parameter)
    } else if (typeof parameter === 'bigint') {
      this.#int32(8)
      this.#reserve(8)
      this.#length = this.#bytes.writeBigInt64BE(parameter, this.#length)
    } else {
      this.#int32(parameter.length)
      this.#fixed(parameter)
    }
  }

  #begin(kind: number): number {
    this.#int8(kind)
    const start = this.#length
    this.#int32(0)
    return start
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#length - start, start)
  }

  #int8(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  #int16(value: number): void {
    this.#reserve(2)
    this.#length = this.#bytes.writeInt16BE(value, this.#length)
  }

  #int32(value: number): void {
    this.#reserve(4)
    this.#length = this.#bytes.writeInt32BE(value, this.#length)
  }

  /** Ends with a zero byte. */
  #text(text: string): void {
    this.#reserve(text.length * 3 + 1)
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
    this.#bytes[this.#length++] = 0
  }

  #fixed(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + bytes))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

const executeMessage = Buffer.of(0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0)
const syncMessage = Buffer.of(0x53, 0, 0, 0, 4)
const flushMessage = Buffer.of(0x48, 0, 0, 0, 4)

/** An array of one dimension in binary form. */
export function encodeArray(elementType: number, elements: readonly Uint8Array[]): Buffer {
  let length = 20
  for (const element of elements) length += 4 + element.length
  const bytes = Buffer.allocUnsafe(length)
  bytes.writeInt32BE(elements.length === 0 ? 0 : 1, 0)
  bytes.writeInt32BE(0, 4)
  bytes.writeInt32BE(elementType, 8)
  if (elements.length === 0) return bytes.subarray(0, 12)
  bytes.writeInt32BE(elements.length, 12)
  bytes.writeInt32BE(1, 16)
  let offset = 20
  for (const element of elements) {
    offset = bytes.writeInt32BE(element.length, offset)
    bytes.set(element, offset)
    offset += element.length
  }
  return bytes
}

export function encodeInt4Array(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(20 + values.length * 8)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(0, 4)
  bytes.writeInt32BE(typeOf.int4, 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let offset = 20
  for (const value of values) offset = bytes.writeInt32BE(value, bytes.writeInt32BE(4, offset))
  return bytes
}

export function encodeInt8Array(values: readonly bigint[]): Buffer {
  return encodeArray(
    typeOf.int8,
    values.map((value) => {
      const bytes = Buffer.allocUnsafe(8)
      bytes.writeBigInt64BE(value)
      return bytes
    }),
  )
}

/** PostgreSQL's own numbers of its types. */
export const typeOf = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int4: 23,
  text: 25,
  float8: 701,
  byteaArray: 1001,
  int4Array: 1007,
  int8Array: 1016,
} as const
