import { unreachable } from '../errors.ts'
import type { AttributeValue, KeyAttributeType } from '../values/attribute-value.ts'
import { decodeBase64 } from '../values/base64.ts'
import { encodeUtf8 } from '../values/utf8.ts'
import { ByteWriter } from './byte-writer.ts'
import { appendOrderedBytes, appendOrderedString, orderedPrefixSuccessor } from './ordered-bytes.ts'
import { appendOrderedNumber } from './ordered-number.ts'

/** Appends a key attribute's value, order-preserving and self-delimiting, so that several in a row are a tuple in the
 *  order of its parts. The type is not written: a key attribute has the type its table declares.
 *  ON DISK: a change here needs a new format version. */
export function appendKeyValue(out: ByteWriter, type: KeyAttributeType, value: AttributeValue): void {
  switch (type) {
    case 'S':
      if (!('S' in value)) throw mistyped(type)
      return appendOrderedString(out, value.S)
    case 'N':
      if (!('N' in value)) throw mistyped(type)
      return appendOrderedNumber(out, value.N)
    case 'B':
      if (!('B' in value)) throw mistyped(type)
      return appendOrderedBytes(out, decodeBase64(value.B))
    default:
      return unreachable(type)
  }
}

/** Where the encodings of all values that begin with `prefix`, a string or binary, lie: from `from`, inclusive, up to
 *  `to`, exclusive. Without `to` nothing bounds them but the end of the keys with the same leading parts. */
export function beginsWithBounds(prefix: AttributeValue): { from: Uint8Array; to: Uint8Array | undefined } {
  const bytes = prefixBytes(prefix)
  const successor = orderedPrefixSuccessor(bytes)
  return { from: encoded(bytes), to: successor === undefined ? undefined : encoded(successor) }
}

function prefixBytes(prefix: AttributeValue): Uint8Array {
  if ('S' in prefix) return encodeUtf8(prefix.S)
  if ('B' in prefix) return decodeBase64(prefix.B)
  throw new Error('only strings and binaries have prefixes')
}

function encoded(bytes: Uint8Array): Uint8Array {
  const out = new ByteWriter()
  appendOrderedBytes(out, bytes)
  return out.bytes()
}

function mistyped(type: KeyAttributeType): Error {
  return new Error(`a key value is not of its declared type ${type}`)
}
