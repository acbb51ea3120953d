import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyAttributeDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { hashOf } from '../keys/hash-of.ts'
import type { StoredItem } from './entity-runtime.ts'

/** Where reading continues: after this key, from the beginning, or nowhere. One for each shard. */
export type Position = StoredItem | 'start' | 'end'

type AesKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Turns positions into text that can be handed to a browser, and back.
 *
 *  A cursor holds only sort keys and the primary key of the last item; the partition comes from the parameters of the call
 *  that it is given to, so that a changed cursor cannot lead into another one. It is tied to the pattern and its parameters.
 *  With a secret it is encrypted (AES-256-GCM) and cannot be read or changed; without one, anyone can read those keys. */
export class CursorCodec {
  readonly #secret: string | undefined
  #key: Promise<AesKey> | undefined

  constructor(secret: string | undefined) {
    this.#secret = secret
  }

  async write(
    positions: readonly Position[],
    attributes: readonly KeyAttributeDescription[],
    tie: string,
  ): Promise<string> {
    const text = JSON.stringify([
      1,
      hashOf(tie),
      ...positions.map((position) =>
        typeof position === 'string'
          ? position === 'start'
            ? 0
            : 1
          : attributes.map(({ name }) => pack(position[name])),
      ),
    ])
    const bytes = new TextEncoder().encode(text)
    return toBase64Url(this.#secret === undefined ? bytes : await this.#encrypt(bytes))
  }

  async read(
    cursor: string,
    attributes: readonly KeyAttributeDescription[],
    count: number,
    tie: string,
  ): Promise<readonly Position[]> {
    const parsed: unknown = await this.#parse(cursor)
    if (!Array.isArray(parsed) || parsed[0] !== 1 || parsed.length !== count + 2)
      throw invalidCursor('was not created by this library')
    if (parsed[1] !== hashOf(tie)) throw invalidCursor('belongs to another pattern or other parameters')
    return parsed.slice(2).map((entry: unknown) => {
      if (entry === 0) return 'start'
      if (entry === 1) return 'end'
      if (!Array.isArray(entry) || entry.length !== attributes.length)
        throw invalidCursor('was not created by this library')
      // The beginning of a period has no key yet: all of it is there, or none.
      const isBeginning = attributes.length > 1 && entry.slice(1).every((value) => value === null)
      const held = isBeginning ? attributes.slice(0, 1) : attributes
      return Object.fromEntries(held.map(({ name, type }, i) => [name, unpack(entry[i], type)]))
    })
  }

  async #parse(cursor: string): Promise<unknown> {
    try {
      const bytes = fromBase64Url(cursor)
      return JSON.parse(new TextDecoder().decode(this.#secret === undefined ? bytes : await this.#decrypt(bytes)))
    } catch (cause) {
      throw invalidCursor('was not created by this library', cause)
    }
  }

  async #encrypt(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await this.#cryptoKey(), bytes)
    const joined = new Uint8Array(12 + sealed.byteLength)
    joined.set(iv)
    joined.set(new Uint8Array(sealed), 12)
    return joined
  }

  async #decrypt(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
    return crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.slice(0, 12) },
      await this.#cryptoKey(),
      bytes.slice(12),
    )
  }

  #cryptoKey(): Promise<AesKey> {
    this.#key ??= crypto.subtle
      .digest('SHA-256', new TextEncoder().encode(this.#secret))
      .then((digest) => crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt']))
    return this.#key
  }
}

function pack(value: AttributeValue | undefined): unknown {
  if (value?.S !== undefined) return value.S
  if (value?.N !== undefined) return value.N
  return value?.B === undefined ? null : toBase64Url(value.B)
}

function unpack(value: unknown, type: 'S' | 'N' | 'B'): AttributeValue {
  if (typeof value !== 'string') throw invalidCursor('was not created by this library')
  if (type === 'S') return { S: value }
  if (type === 'B') return { B: fromBase64Url(value) }
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) throw invalidCursor('was not created by this library')
  return { N: value }
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

function invalidCursor(fault: string, cause?: unknown): ModelError {
  return new ModelError('INVALID_CURSOR', `The cursor ${fault}. Start again without a cursor.`, { cause })
}
