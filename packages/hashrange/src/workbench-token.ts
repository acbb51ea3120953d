import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The secret that opens the workbench: it is in the address that the greeting prints, and nowhere else. Each start
 *  has a new one, so that one that was seen or logged is soon worthless. */
export function newWorkbenchToken(): string {
  return randomBytes(24).toString('base64url')
}

/** What may be in an address and in a header unescaped, and cannot be guessed. */
export function isWorkbenchToken(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{16,256}$/.test(text)
}

/** Whether a text is the token. The time it takes says nothing about how much of it is right. */
export function tokenCheck(token: string): (sent: string | undefined) => boolean {
  const expected = digestOf(token)
  return (sent) => timingSafeEqual(digestOf(sent ?? ''), expected)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
