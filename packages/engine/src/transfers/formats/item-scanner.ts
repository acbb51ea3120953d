import {
  assertAttributeValueTypes,
  attributeValueSizeBytes,
  canonicalNumber,
  limits,
  numberSizeBytes,
  readAttributeValue,
  ServiceError,
  setAttribute,
  type AttributeValue,
} from '@hashrange/core'
import { CanonicalItem } from './canonical-item.ts'

const quote = 0x22
const comma = 0x2c
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const lineStart = '{"Item":'
/** `{"S":` and its like, for the types of one letter. */
const typeLength = 5
/** Names are compared with each other; items with more are left to the parser. */
const mostNames = 100
const longestName = 255
const longestNumber = 140

/** Reads lines as an export writes them, `{"Item":{…}}` without superfluous spaces: checks the item and computes its
 *  size in one pass over the text, which is then stored as it is. Parsing a line and serializing it again takes
 *  several times as long. Everything unusual, valid or not, is left to the parser: escapes, white space, duplicate
 *  names in a map, names that JavaScript would reorder, and every error. */
export class ItemScanner {
  readonly #wanted: readonly string[]
  #text = ''
  #at = 0
  #sizeBytes = 0
  #attributes: Record<string, AttributeValue> = {}
  /** The stored form of what stands before `#copied`. */
  #json = ''
  #copied = 0
  /** Hashes of the names of every map that is open. */
  readonly #names: number[] = []

  /** `wanted` are the attributes to report of an item. */
  constructor(wanted: readonly string[]) {
    this.#wanted = wanted
  }

  /** `line` has been decoded from UTF-8. Nothing if it is left to the parser. */
  scan(line: string): CanonicalItem | undefined {
    if (!line.startsWith(lineStart)) return undefined
    this.#text = line
    this.#at = lineStart.length
    this.#sizeBytes = 0
    this.#attributes = {}
    this.#json = ''
    this.#copied = this.#at
    this.#names.length = 0
    try {
      if (!this.#entries(1)) return undefined
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
    if (this.#at !== line.length - 1 || line.charCodeAt(this.#at) !== closeBrace) return undefined
    const json = this.#json + line.slice(this.#copied, this.#at)
    return new CanonicalItem(json, this.#sizeBytes, this.#attributes)
  }

  /** A map's entries with its braces. Recursion is bounded by the service's levels. */
  #entries(level: number): boolean {
    if (!this.#skip(openBrace)) return false
    if (this.#skip(closeBrace)) return true
    const firstName = this.#names.length
    for (;;) {
      const nameStart = this.#at + 1
      if (!this.#string() || !this.#addName(firstName, nameStart, this.#at - 1) || !this.#skip(colon)) return false
      const nameEnd = this.#at - 2
      const valueStart = this.#at
      if (!this.#value(level)) return false
      if (level === 1) this.#keepIfWanted(nameStart, nameEnd, valueStart)
      // What the service counts for each entry of a map, but not of an item.
      else this.#sizeBytes++
      if (!this.#skip(comma)) {
        this.#names.length = firstName
        return this.#skip(closeBrace)
      }
    }
  }

  #elements(level: number): boolean {
    if (!this.#skip(openBracket)) return false
    if (this.#skip(closeBracket)) return true
    do {
      if (!this.#value(level)) return false
      this.#sizeBytes++
    } while (this.#skip(comma))
    return this.#skip(closeBracket)
  }

  #value(level: number): boolean {
    if (level > limits.nestingLevels) return false
    const text = this.#text
    const start = this.#at
    if (text.charCodeAt(start + 3) !== quote) return this.#longerType(level)
    if (text.charCodeAt(start) !== openBrace || text.charCodeAt(start + 1) !== quote) return false
    if (text.charCodeAt(start + 4) !== colon) return false
    this.#at = start + typeLength
    switch (text.charCodeAt(start + 2)) {
      case 0x53: // S
        return this.#string() && this.#skip(closeBrace)
      case 0x4e: // N
        return this.#number() || this.#readByParser(start, level)
      case 0x4d: // M
        this.#sizeBytes += 3
        return this.#entries(level + 1) && this.#skip(closeBrace)
      case 0x4c: // L
        this.#sizeBytes += 3
        return this.#elements(level + 1) && this.#skip(closeBrace)
      default:
        return this.#readByParser(start, level)
    }
  }

  #longerType(level: number): boolean {
    const start = this.#at
    for (const literal of literals) {
      if (!this.#text.startsWith(literal, start)) continue
      this.#at = start + literal.length
      this.#sizeBytes++
      return true
    }
    return this.#readByParser(start, level)
  }

  /** A string with its quotes, which adds to the size. */
  #string(): boolean {
    const text = this.#text
    const start = this.#at + 1
    if (text.charCodeAt(start - 1) !== quote) return false
    let bytes = 0
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        this.#at = at + 1
        this.#sizeBytes += bytes
        return true
      }
      if (code < 0x20 || code === backslash) return false
      bytes += code < 0x80 ? 1 : utf8Bytes(code)
    }
    return false
  }

  /** A number's text and the brace after it, if it is canonical. */
  #number(): boolean {
    const text = this.#text
    const start = this.#at + 1
    const end = text.indexOf('"', start)
    if (text.charCodeAt(start - 1) !== quote || end < start || end - start > longestNumber) return false
    const number = text.slice(start, end)
    if (canonicalNumber(number) !== number) return false
    this.#at = end + 1
    this.#sizeBytes += numberSizeBytes(number)
    return this.#skip(closeBrace)
  }

  /** A value of one string or of several: a set, a binary, a number that is not canonical. */
  #readByParser(start: number, level: number): boolean {
    const text = this.#text
    const sizeBefore = this.#sizeBytes
    const prefix = parserPrefixes.find((known) => text.startsWith(known, start))
    if (prefix === undefined) return false
    this.#at = start + prefix.length
    if (!(this.#string() || this.#strings()) || !this.#skip(closeBrace)) return false
    this.#sizeBytes = sizeBefore
    const raw: unknown = JSON.parse(text.slice(start, this.#at))
    assertAttributeValueTypes(raw)
    const value = readAttributeValue(raw, level)
    this.#sizeBytes += attributeValueSizeBytes(value)
    if (value !== raw) {
      this.#json += text.slice(this.#copied, start) + JSON.stringify(value)
      this.#copied = this.#at
    }
    return true
  }

  #strings(): boolean {
    if (!this.#skip(openBracket)) return false
    do if (!this.#string()) return false
    while (this.#skip(comma))
    return this.#skip(closeBracket)
  }

  #skip(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }

  /** False if the map has the name already, or may have it. */
  #addName(firstName: number, start: number, end: number): boolean {
    const text = this.#text
    const names = this.#names
    if (end === start || end - start > longestName || names.length - firstName === mostNames) return false
    const first = text.charCodeAt(start)
    if (first >= zero && first <= nine) return false
    let hash = 0
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
    for (let position = firstName; position < names.length; position++) if (names[position] === hash) return false
    names.push(hash)
    return true
  }

  #keepIfWanted(nameStart: number, nameEnd: number, valueStart: number): void {
    for (const name of this.#wanted) {
      if (name.length !== nameEnd - nameStart || !this.#text.startsWith(name, nameStart)) continue
      setAttribute(this.#attributes, name, this.#attribute(valueStart))
      return
    }
  }

  /** The value that has just been read. */
  #attribute(start: number): AttributeValue {
    const text = this.#text
    if (text.startsWith('{"S":', start)) return { S: text.slice(start + typeLength + 1, this.#at - 2) }
    return readAttributeValue(JSON.parse(text.slice(start, this.#at)))
  }
}

const literals = ['{"BOOL":true}', '{"BOOL":false}', '{"NULL":true}'] as const
const parserPrefixes = ['{"SS":', '{"N":', '{"B":', '{"NS":', '{"BS":', '{"BOOL":'] as const

/** Of one UTF-16 unit: each half of a pair stands for two of its four bytes. */
function utf8Bytes(code: number): number {
  if (code < 0x80) return 1
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3
}
