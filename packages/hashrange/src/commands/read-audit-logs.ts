import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { readCalls, type RecordedCall } from '@hashrange/model/coverage'
import { Mistake } from '../mistake.ts'

/** The calls in logs of a server or of CloudTrail, which compresses them. */
export async function readAuditLogs(files: readonly string[]): Promise<readonly RecordedCall[]> {
  const calls: RecordedCall[] = []
  for (const file of files) {
    const bytes = await readFile(file).catch((cause: unknown) => {
      throw new Mistake(`${file} cannot be read. Give a log of hashrange start --audit-log, or of CloudTrail.`, {
        cause,
      })
    })
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
    const found = readCalls((isCompressed ? gunzipSync(bytes) : bytes).toString('utf8'))
    for (const call of found) calls.push(call)
  }
  if (files.length > 0 && calls.length === 0) {
    throw new Mistake(
      `${files.join(', ')}: no calls on items are recorded there. Start the server with --audit-log FILE --audit-data-events.`,
    )
  }
  return calls
}
