import { readFileSync } from 'node:fs'

export const encryptionFlags = { 'encryption-key-file': { type: 'string' } } as const

/** 32 bytes, or what is wrong with them. */
export type ReadKey = { readonly key: Buffer | undefined } | { readonly mistake: string }

/** The key of the data: from a named file, from the environment, or none. */
export function readEncryptionKey(
  file: string | undefined,
  setting: (name: string) => string | undefined,
): ReadKey {
  const text = file === undefined ? setting('HASHRANGE_ENCRYPTION_KEY') : undefined
  const path = file ?? setting('HASHRANGE_ENCRYPTION_KEY_FILE')
  if (text !== undefined) return keyOf(text, 'HASHRANGE_ENCRYPTION_KEY')
  if (path === undefined) return { key: undefined }
  return readKeyFile(path, '--encryption-key-file')
}

export function readKeyFile(path: string, flag: string): ReadKey {
  try {
    const bytes = readFileSync(path)
    return bytes.length === keyBytes ? { key: bytes } : keyOf(bytes.toString('utf8'), path)
  } catch (error) {
    return {
      mistake: `${flag}: ${path} cannot be read (${error instanceof Error ? error.message : String(error)}).`,
    }
  }
}

/** In hexadecimal digits, or in base64. The text is never repeated in a message. */
function keyOf(text: string, source: string): ReadKey {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return { key: Buffer.from(trimmed, 'hex') }
  if (/^[\w+/-]{43}=?$/.test(trimmed)) return { key: Buffer.from(trimmed, 'base64') }
  return {
    mistake: `${source} must contain a key of ${keyBytes} bytes, in hexadecimal or base64. To make one: openssl rand -hex ${keyBytes}`,
  }
}

const keyBytes = 32
