import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  type KeyObject,
  createSecretKey,
} from 'node:crypto'
import { StorageError } from '../storage-error.ts'
import type { Key, Value } from '../store.ts'

/** How many bytes a sealed value has in addition to its own. */
export const sealBytes = 41
const saltAt = 1
const counterAt = 17
const textAt = 25
const tagBytes = 16

/** The kinds of sealed values: bound to its key, or bound to its log, because the key of a log entry is not known
 *  before the commit. ON DISK. */
const boundToKey = 0xe1
const boundToLog = 0xe2
const sequenceBytes = 8

/** How many values are sealed with one salt. AES-GCM would allow more. */
const mostPerSalt = 2 ** 32
const keptKeys = 1_000

/** Encrypts and authenticates values with AES-256-GCM. No nonce is used twice: each process, and each four thousand
 *  million values, draw a salt, derive a key from it, and count from zero. A value is bound to its key, so it cannot
 *  be moved to another. ON DISK: `kind: 1 · salt: 16 · count: 8, big-endian · ciphertext · tag: 16`. The key is
 *  HKDF-SHA256(secret, salt, "hashrange value"), the nonce is four zero bytes and the count, and the additional
 *  authenticated data is the entry's key, without its sequence if the kind is 0xE2. */
export class ValueSeal {
  readonly #secret: Buffer
  readonly #keys = new Map<string, KeyObject>()
  #salt = Buffer.alloc(0)
  #key: KeyObject
  #count = 0

  /** `secret` has 32 bytes. */
  constructor(secret: Buffer) {
    if (secret.length !== 32) throw new Error('a secret for encryption has 32 bytes')
    this.#secret = secret
    this.#key = this.#newKey()
  }

  seal(value: Value, key: Key): Value {
    return this.#seal(boundToKey, value, key)
  }

  sealEntryOf(log: Key, value: Value): Value {
    return this.#seal(boundToLog, value, log)
  }

  /** Throws a StorageError if the value was not sealed with this secret for this key, or has changed since. */
  open(sealed: Value, key: Key): Value {
    const kind = sealed[0]
    if (!isSealed(sealed)) throw unreadable()
    const nonce = Buffer.alloc(12)
    sealed.copy(nonce, 4, counterAt, textAt)
    const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(sealed.subarray(saltAt, counterAt)), nonce)
    decipher.setAAD(kind === boundToLog ? key.subarray(0, Math.max(0, key.length - sequenceBytes)) : key)
    const end = sealed.length - tagBytes
    decipher.setAuthTag(sealed.subarray(end))
    const value = decipher.update(sealed.subarray(textAt, end))
    try {
      decipher.final()
    } catch (error) {
      throw unreadable(error)
    }
    return value
  }

  #seal(kind: number, value: Value, bound: Key): Value {
    if (this.#count >= mostPerSalt) this.#key = this.#newKey()
    const sealed = Buffer.allocUnsafe(sealBytes + value.length)
    sealed[0] = kind
    sealed.set(this.#salt, saltAt)
    sealed.writeBigUInt64BE(BigInt(this.#count++), counterAt)
    const nonce = Buffer.alloc(12)
    sealed.copy(nonce, 4, counterAt, textAt)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(bound)
    sealed.set(cipher.update(value), textAt)
    cipher.final()
    sealed.set(cipher.getAuthTag(), textAt + value.length)
    return sealed
  }

  #newKey(): KeyObject {
    this.#salt = randomBytes(16)
    this.#count = 0
    return this.#derive(this.#salt)
  }

  /** There are as many salts as processes that have written. */
  #keyOf(salt: Buffer): KeyObject {
    const name = salt.toString('latin1')
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    if (this.#keys.size >= keptKeys) this.#keys.clear()
    const key = this.#derive(salt)
    this.#keys.set(name, key)
    return key
  }

  #derive(salt: Buffer): KeyObject {
    return createSecretKey(Buffer.from(hkdfSync('sha256', this.#secret, salt, 'hashrange value', 32)))
  }
}

export function isSealed(value: Value): boolean {
  return value.length >= sealBytes && (value[0] === boundToKey || value[0] === boundToLog)
}

function unreadable(cause?: unknown): StorageError {
  return new StorageError(
    'damaged',
    'A value cannot be decrypted: it was damaged, or was encrypted with another key.',
    cause,
  )
}
