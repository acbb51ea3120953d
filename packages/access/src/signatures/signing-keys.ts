import { HmacKey, hmacSha256 } from './sha256.ts'

/** The key that signs for one day, one region and one service. */
function deriveSigningKey(secret: string, date: string, region: string, service: string): Buffer {
  const ofDate = hmacSha256(Buffer.from(`AWS4${secret}`, 'utf8'), date)
  const ofRegion = hmacSha256(ofDate, region)
  const ofService = hmacSha256(ofRegion, service)
  return hmacSha256(ofService, 'aws4_request')
}

const mostKept = 1000

/** Derived keys, kept so that a request costs one signature rather than five. A key is of a day, and no request of another day gets so far as to use it: what is left of
 *  yesterday goes when the cache is full. The secret is part of what is remembered, so that a replaced one is never taken for the old. */
export class SigningKeys {
  readonly #kept = new Map<string, { readonly secret: string; readonly key: HmacKey }>()

  keyOf(secret: string, accessKeyId: string, date: string, region: string, service: string): HmacKey {
    const name = `${accessKeyId}/${date}/${region}/${service}`
    const kept = this.#kept.get(name)
    if (kept !== undefined && kept.secret === secret) return kept.key
    const key = new HmacKey(deriveSigningKey(secret, date, region, service))
    if (this.#kept.size >= mostKept) this.#kept.clear()
    this.#kept.set(name, { secret, key })
    return key
  }
}
