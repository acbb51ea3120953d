/** The key of secrets in a text: 64 hexadecimal digits, or 32 bytes in base64. Nothing if it is neither. */
export function readSecretKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined
  const bytes = Buffer.from(trimmed, 'base64')
  return bytes.length === 32 ? bytes : undefined
}
