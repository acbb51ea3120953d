import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const formatByte = 1
const nonceBytes = 12
const tagBytes = 16

/** Encrypts what must not be read by whoever reads the store, with a key that is not in it.
 *  ON DISK, in base64: `1 · nonce (12 bytes) · AES-256-GCM of the text · tag (16 bytes)`. What the text is for is authenticated with it, so that
 *  no secret can be put in the place of another. */
export class SecretBox {
  readonly #key: Buffer

  /** `key` has 32 bytes. */
  constructor(key: Buffer) {
    if (key.length !== 32) throw new Error('the key of secrets has 32 bytes')
    this.#key = key
  }

  seal(text: string, purpose: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose, 'utf8'))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(formatByte), nonce, sealed, cipher.getAuthTag()]).toString('base64')
  }

  /** The text; nothing if it was not sealed with this key, for this purpose. */
  open(sealed: string, purpose: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    if (bytes[0] !== formatByte || bytes.length < 1 + nonceBytes + tagBytes) return undefined
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(1, 1 + nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(purpose, 'utf8')).setAuthTag(bytes.subarray(bytes.length - tagBytes))
      const text = decipher.update(bytes.subarray(1 + nonceBytes, bytes.length - tagBytes))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }
}
