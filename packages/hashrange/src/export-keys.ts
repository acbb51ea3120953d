import { readFileSync } from 'node:fs'

export const exportKeyFlags = { 'export-key-file': { type: 'string' } } as const

const keyBytes = 32

/** The keys of exports, or what is wrong with them. */
export type ReadExportKeys = { readonly keys: readonly Buffer[] } | { readonly mistake: string }

/** From a named file or from the environment: one to a line. New exports are encrypted with the first, and those that are read may have any. */
export function readExportKeys(
  file: string | undefined,
  setting: (name: string) => string | undefined,
): ReadExportKeys {
  const text = file === undefined ? setting('HASHRANGE_EXPORT_KEY') : undefined
  if (text !== undefined) return keysIn(text, 'HASHRANGE_EXPORT_KEY')
  const path = file ?? setting('HASHRANGE_EXPORT_KEY_FILE')
  if (path === undefined) return { keys: [] }
  try {
    return keysIn(readFileSync(path, 'utf8'), path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { mistake: `--export-key-file: ${path} cannot be read (${reason}).` }
  }
}

/** In hexadecimal digits, or in base64. The text is never repeated in a message. */
function keysIn(text: string, source: string): ReadExportKeys {
  const lines = text.split(/\s+/).filter((line) => line !== '')
  const keys = lines.flatMap((line) => {
    if (/^[0-9a-f]{64}$/i.test(line)) return [Buffer.from(line, 'hex')]
    return /^[\w+/-]{43}=?$/.test(line) ? [Buffer.from(line, 'base64')] : []
  })
  if (keys.length > 0 && keys.length === lines.length) return { keys }
  return {
    mistake: `${source} must contain keys of ${keyBytes} bytes, in hexadecimal or base64, one to a line. To make one: openssl rand -hex ${keyBytes}`,
  }
}
