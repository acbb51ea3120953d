import { closeSync, openSync, readSync } from 'node:fs'
import { TemplateError } from './table-design.ts'

const mostBytes = 64 * 1024 * 1024

/** The text of a file or a pipe. One that does not end, such as a device, is not read until there is no memory left. */
export function readText(path: string): string {
  const file = openSync(path, 'r')
  try {
    const parts: Buffer[] = []
    for (let length = 0; ;) {
      const part = Buffer.allocUnsafe(64 * 1024)
      const count = readSync(file, part)
      if (count === 0) return Buffer.concat(parts).toString('utf8')
      parts.push(part.subarray(0, count))
      length += count
      if (length > mostBytes) throw new TemplateError(`${path} is larger than ${mostBytes / 1024 ** 2} MB.`)
    }
  } finally {
    closeSync(file)
  }
}
