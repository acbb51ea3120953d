import { ionChangeLine, ionItemLine } from './formats/ion-writer.ts'
import { imageOf } from './logged-changes.ts'
import type { NetChange } from './changes-between.ts'
import type { ExportedChanges, ExportJob } from './export-job.ts'
import { toJsonBytes, type RawJson } from '../wire/raw-json.ts'

const itemStart = '{"Item":'
const itemEnd = '}\n'

/** Items as the lines of an export. As JSON they are copied as stored, not parsed. */
export function itemLines(format: ExportJob['format'], items: readonly RawJson[]): Buffer {
  if (format === 'ION') return Buffer.from(items.map((item) => ionItemLine(imageOf(item))).join(''))
  let lengthBytes = 0
  for (const item of items) lengthBytes += itemStart.length + item.length + itemEnd.length
  const lines = Buffer.allocUnsafe(lengthBytes)
  let offset = 0
  for (const item of items) {
    offset += lines.write(itemStart, offset, 'latin1')
    offset = item.copyTo(lines, offset)
    offset += lines.write(itemEnd, offset, 'latin1')
  }
  return lines
}

/** A change as a line of an incremental export. */
export function changeLine(
  format: ExportJob['format'],
  view: ExportedChanges['viewType'],
  change: NetChange,
): Buffer {
  const oldImage = view === 'NEW_AND_OLD_IMAGES' ? change.oldImage : undefined
  const { keys, newImage } = change
  const writtenAtMicros = Math.trunc(change.atMs * 1000)
  if (format === 'ION') {
    const line = ionChangeLine({
      keys: imageOf(keys),
      writtenAtMicros,
      oldImage: oldImage && imageOf(oldImage),
      newImage: newImage && imageOf(newImage),
    })
    return Buffer.from(line)
  }
  return Buffer.concat([
    toJsonBytes({
      Metadata: { WriteTimestampMicros: { N: String(writtenAtMicros) } },
      Keys: keys,
      OldImage: oldImage,
      NewImage: newImage,
    }),
    Buffer.from('\n'),
  ])
}
