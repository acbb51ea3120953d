import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { BucketError } from '@hashrange/engine'

/** ON DISK: an encrypted object is `magic: 8 · salt: 16`, then its contents in pieces of 64 KiB, the last of which may be shorter or
 *  empty, each as `ciphertext · tag: 16`. It is AES-256-GCM with the key HKDF-SHA256(secret, salt, "hashrange object"). The nonce of a piece
 *  is its number in 11 bytes, big-endian, and a byte that is 1 for the last piece and 0 for all others: pieces cannot be moved, and
 *  an object cannot be cut off. docs/storage-format.md. */
const magic = Buffer.from('HRSEAL\x01\n', 'latin1')
const saltBytes = 16
const pieceBytes = 65_536
const tagBytes = 16

/** Encrypts the contents of an object. `secret` has 32 bytes. */
export async function* sealChunks(
  secret: Uint8Array,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(saltBytes)
  const key = keyOf(secret, salt)
  yield Buffer.concat([magic, salt])
  let number = 0
  for await (const { bytes, isLast } of piecesOf(chunks, pieceBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** The contents of an object, with the first of the secrets that fits. An object that is not encrypted is passed on as it is. `name` and
 *  `advice`, which says how to provide a secret, are for messages. */
export async function* openChunks(
  secrets: readonly Uint8Array[],
  advice: string,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const rest = chunks[Symbol.asyncIterator]()
  const head = await takeHead(rest, magic.length + saltBytes)
  const remaining = following(head, rest)
  if (!head.subarray(0, magic.length).equals(magic)) {
    yield* remaining(0)
    return
  }
  const salt = head.subarray(magic.length, magic.length + saltBytes)
  let key: Buffer | undefined
  let number = 0
  for await (const { bytes, isLast } of piecesOf(remaining(magic.length + saltBytes), pieceBytes + tagBytes)) {
    const nonce = nonceOf(number++, isLast)
    if (key === undefined) {
      key = secrets.map((secret) => keyOf(secret, salt)).find((one) => openPiece(one, nonce, bytes) !== undefined)
      if (key === undefined) throw unreadable(name, secrets.length > 0, advice)
    }
    const opened = openPiece(key, nonce, bytes)
    if (opened === undefined) throw new Error(`${name} is damaged: its piece ${number} was changed or cut off.`)
    yield opened
  }
}

function openPiece(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer | undefined {
  if (bytes.length < tagBytes) return undefined
  const end = bytes.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(bytes.subarray(end))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()])
  } catch {
    return undefined
  }
}

function unreadable(name: string, hasKeys: boolean, advice: string): BucketError {
  const why = hasKeys
    ? `${name} was encrypted with another key, or has been changed.`
    : `${name} is encrypted, and no key was given.`
  return new BucketError('AccessDenied', `${why} ${advice}`)
}

function keyOf(secret: Uint8Array, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, 'hashrange object', 32))
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts what comes into pieces of one size. There is always a last one, which may be empty. */
async function* piecesOf(
  chunks: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly isLast: boolean }> {
  let held = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    let from = 0
    // A piece is known not to be the last one when something follows it.
    for (; held.length - from > sizeBytes; from += sizeBytes) {
      yield { bytes: held.subarray(from, from + sizeBytes), isLast: false }
    }
    held = held.subarray(from)
  }
  yield { bytes: held, isLast: true }
}

async function takeHead(chunks: AsyncIterator<Uint8Array>, length: number): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < length) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

/** What was taken, from a place on, and all that follows. */
function following(head: Buffer, rest: AsyncIterator<Uint8Array>): (from: number) => AsyncGenerator<Uint8Array> {
  return async function* (from) {
    if (head.length > from) yield head.subarray(from)
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  }
}
