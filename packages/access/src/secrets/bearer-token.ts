import { createHash } from 'node:crypto'
import type { SecretBox } from './secret-box.ts'

const purpose = 'bearer token'
const prefix = 'hashrange_'

/** A token for what has no signature: metrics, reports, and the workbench. It is good until it expires, on every server that has the same key of secrets. */
export function newBearerToken(box: SecretBox, expiresAtMs: number): string {
  return prefix + toUrlText(box.seal(JSON.stringify({ expiresAtMs }), purpose))
}

/** Whether a token was made with this key and has not expired. */
export function isBearerToken(box: SecretBox, token: string, nowMs: number): boolean {
  if (!token.startsWith(prefix) || token.length > 1000) return false
  const text = box.open(token.slice(prefix.length), purpose)
  if (text === undefined) return false
  const { expiresAtMs } = JSON.parse(text) as { readonly expiresAtMs: number }
  return nowMs < expiresAtMs
}

/** What a token is called where it must not be told: `printf %s TOKEN | sha256sum | cut -c -16`. */
export function idOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16)
}

function toUrlText(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
