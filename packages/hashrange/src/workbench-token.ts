import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The secret that opens the workbench: it stands in the address that the greeting prints, and nowhere else. A new one for each start, so that one
 *  that was seen over a shoulder, or kept in a log, is soon worth nothing. */
export function newWorkbenchToken(): string {
  return randomBytes(24).toString('base64url')
}

/** What may stand in an address and in a header as it is, and cannot be guessed. */
export function isWorkbenchToken(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{16,256}$/.test(text)
}

/** Whether a text is the token. How long the answer takes says nothing of how much of it is right. */
export function tokenCheck(token: string): (sent: string | undefined) => boolean {
  const expected = digestOf(token)
  return (sent) => timingSafeEqual(digestOf(sent ?? ''), expected)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
