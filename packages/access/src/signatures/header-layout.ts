import { canonicalValue, fieldName } from './canonical-request.ts'
import { sha256Hex } from './sha256.ts'

const hashLength = 64
const mostBytes = 4096
/** Lines are kept, for each of a thousand kinds of requests. */
const longestLine = 2048
const mostLines = 32

/** How a client writes its header: with every request of a kind, the same names in the same order. A header in a known layout need not be taken apart: the
 *  signed part of it is kept as bytes, and only written again when one of its lines has changed, such as the time. */
export class HeaderLayout {
  /** `Host:`, as it was sent. */
  readonly #starts: readonly string[]
  /** As they last fitted. Most lines are the same as in the request before, which is found faster than how they start. */
  readonly #seen: string[]
  readonly #signed: readonly SignedField[]
  readonly #end: string
  #bytes = Buffer.alloc(0)
  #hashAt = 0

  private constructor(starts: readonly string[], signed: readonly SignedField[], listed: string) {
    this.#starts = starts
    this.#seen = starts.map(() => '')
    this.#signed = signed
    this.#end = `\n${listed}\n`
  }

  /** Nothing if a name stands there twice, or if it is too long to keep. */
  static of(fields: readonly string[], signedHeaders: readonly string[]): HeaderLayout | undefined {
    const starts = fields.map((line) => line.slice(0, line.indexOf(':') + 1))
    const names = fields.map(fieldName)
    const isLong = fields.some((line) => line.length > longestLine) || fields.length > mostLines
    if (isLong || new Set(names).size < names.length) return undefined
    const signed = signedHeaders.map((name) => ({ name, position: names.indexOf(name), line: '', canonical: '' }))
    const layout = new HeaderLayout(starts, signed, signedHeaders.join(';'))
    return layout.#write(fields) ? layout : undefined
  }

  fits(fields: readonly string[] | undefined): fields is readonly string[] {
    const seen = this.#seen
    if (fields?.length !== seen.length) return false
    for (let index = 0; index < seen.length; index++) {
      const line = fields[index] ?? ''
      if (line === seen[index]) continue
      if (!line.startsWith(this.#starts[index] ?? '')) return false
      if (line.length <= longestLine) seen[index] = line
    }
    return true
  }

  /** The hash of the canonical form of a request of `POST /` whose fields fit; nothing if it is too long. */
  hashOf(fields: readonly string[], payloadHash: string): string | undefined {
    for (const { position, line } of this.#signed) {
      if (position < 0 || fields[position] === line) continue
      if (!this.#write(fields)) return undefined
      break
    }
    this.#bytes.write(payloadHash, this.#hashAt, 'latin1')
    return sha256Hex(this.#bytes)
  }

  #write(fields: readonly string[]): boolean {
    let text = 'POST\n/\n\n'
    for (const field of this.#signed) {
      const line = fields[field.position] ?? ''
      if (line !== field.line || field.canonical === '') {
        field.line = line
        field.canonical = `${field.name}:${canonicalValue(line)}\n`
      }
      text += field.canonical
    }
    text += this.#end
    const length = text.length + hashLength
    if (length > mostBytes) {
      // What was written is of other lines.
      for (const field of this.#signed) field.line = ''
      return false
    }
    if (this.#bytes.length !== length) this.#bytes = Buffer.alloc(length)
    this.#bytes.write(text, 'latin1')
    this.#hashAt = text.length
    return true
  }
}

interface SignedField {
  readonly name: string
  /** Among the lines; negative if it is not there, and counts as empty. */
  readonly position: number
  /** As it was last sent, and what that becomes. */
  line: string
  canonical: string
}
