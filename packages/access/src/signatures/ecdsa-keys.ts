import { createECDH, createHmac, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { ecdsaAlgorithm } from '@hashrange/server'

/** The order of P-256, less two. */
const largest = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254fn

/** The private key of Signature Version 4A that belongs to a secret: NIST SP 800-108's derivation in counter mode, tried until the number is one of the
 *  curve's. */
export function deriveEcdsaKey(accessKeyId: string, secret: string): Buffer {
  const key = Buffer.from(`AWS4A${secret}`, 'utf8')
  for (let counter = 1; counter < 255; counter++) {
    const input = Buffer.concat([
      Buffer.of(0, 0, 0, 1),
      Buffer.from(ecdsaAlgorithm),
      Buffer.of(0),
      Buffer.from(accessKeyId, 'utf8'),
      Buffer.of(counter, 0, 0, 1, 0),
    ])
    const candidate = BigInt(`0x${createHmac('sha256', key).update(input).digest('hex')}`)
    if (candidate <= largest) return Buffer.from((candidate + 1n).toString(16).padStart(64, '0'), 'hex')
  }
  throw new Error('no key of the curve was found for a secret')
}

const mostKept = 1000

/** The public keys that verify what was signed with secrets. */
export class EcdsaKeys {
  readonly #kept = new Map<string, { readonly secret: string; readonly key: KeyObject }>()

  isSignedBy(accessKeyId: string, secret: string, text: string, signatureHex: string): boolean {
    if (!/^[0-9a-f]{1,160}$/.test(signatureHex)) return false
    const key = this.#keyOf(accessKeyId, secret)
    return verify(
      'sha256',
      Buffer.from(text, 'latin1'),
      { key, dsaEncoding: 'der' },
      Buffer.from(signatureHex, 'hex'),
    )
  }

  #keyOf(accessKeyId: string, secret: string): KeyObject {
    const kept = this.#kept.get(accessKeyId)
    if (kept !== undefined && kept.secret === secret) return kept.key
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(deriveEcdsaKey(accessKeyId, secret))
    const point = curve.getPublicKey()
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
    })
    if (this.#kept.size >= mostKept) this.#kept.clear()
    this.#kept.set(accessKeyId, { secret, key })
    return key
  }
}
