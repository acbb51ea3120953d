import { closeSync, openSync, readSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { TemplateError } from './table-design.ts'

const mostBytes = 64 * 1024 * 1024

/** The text of a file or a pipe, unpacked if it is compressed with gzip. One that does not end, such as a device, is not
 *  read until there is no memory left. */
export function readText(path: string): string {
  return decoded(unpacked(readBytes(path), path), path)
}

function readBytes(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const parts: Buffer[] = []
    for (let length = 0; ;) {
      const part = Buffer.allocUnsafe(64 * 1024)
      const count = readSync(file, part)
      if (count === 0) return Buffer.concat(parts)
      parts.push(part.subarray(0, count))
      length += count
      if (length > mostBytes) throw tooLarge(path)
    }
  } finally {
    closeSync(file)
  }
}

/** By its first bytes, whatever its name is. */
function unpacked(content: Buffer, path: string): Buffer {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content
  try {
    return gunzipSync(content, { maxOutputLength: mostBytes })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(path)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new TemplateError(`${path} cannot be unpacked: ${why}.`, { cause })
  }
}

/** Windows marks its files: PowerShell writes UTF-16, and Notepad and Excel a mark before UTF-8. What is in an older
 *  encoding is refused, because its letters would be stored as question marks. */
function decoded(content: Buffer, path: string): string {
  const [first, second] = content
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch (cause) {
    throw new TemplateError(`${path} is not text in UTF-8. Save it in UTF-8.`, { cause })
  }
}

function tooLarge(path: string): TemplateError {
  return new TemplateError(`${path} is larger than ${mostBytes / 1024 ** 2} MB.`)
}
