import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { lineInput } from '../workload/operations.ts'
import { bodyText, requestTemplate, type RequestTemplate } from '../workload/request-template.ts'

const fileCount = 8
const linesAtOnce = 1_000

export interface ItemFiles {
  readonly count: number
  readonly bytes: number
}

/** Writes `itemCount` items as an export would, into a few files of the folder. */
export async function writeItemFiles(
  folder: string,
  itemCount: number,
  onFile: (number: number, count: number) => void,
): Promise<ItemFiles> {
  await mkdir(folder, { recursive: true })
  const template = requestTemplate('ImportTable', lineInput(), itemCount)
  let bytes = 0
  for (let number = 0; number < fileCount; number++) {
    onFile(number + 1, fileCount)
    const file = join(folder, `part-${number}.json.gz`)
    const from = Math.floor((itemCount * number) / fileCount)
    const to = Math.floor((itemCount * (number + 1)) / fileCount)
    await pipeline(Readable.from(lines(template, from, to)), createGzip({ level: 1 }), createWriteStream(file))
    bytes += (await stat(file)).size
  }
  return { count: fileCount, bytes }
}

function* lines(template: RequestTemplate, from: number, to: number): Generator<string> {
  for (let start = from; start < to; start += linesAtOnce) {
    let text = ''
    for (let item = start; item < Math.min(start + linesAtOnce, to); item++) {
      text += `${bodyText(template, item, item)}\n`
    }
    yield text
  }
}
