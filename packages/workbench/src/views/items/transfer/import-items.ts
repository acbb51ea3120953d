import type { Item } from '@hashrange/core'
import { ApiError, type Call } from '../../../api/api.ts'
import type { TableDescription } from '../../../api-types.ts'
import { inParallel } from '../write/in-parallel.ts'
import { createRequest } from '../write/save-item.ts'
import { ItemReader, type ReadItem, type ReadOptions } from './read-items.ts'

export interface ImportOptions extends ReadOptions {
  /** What becomes of an item whose key exists already. */
  readonly existing: 'replace' | 'keep'
}

export interface ImportReport {
  readonly bytesRead: number
  readonly written: number
  /** Left as they were. */
  readonly kept: number
  readonly mistakes: number
  /** The first ones. */
  readonly firstMistakes: readonly LineMistake[]
}

export interface LineMistake {
  readonly line: number
  readonly message: string
}

const batchItems = 25
const waveItems = batchItems * 8
const mostMistakes = 200

type NumberedItem = Extract<ReadItem, { kind: 'item' }>

/** Writes the items of a file. It is read piece by piece, so that its size does not matter. */
export async function importItems(
  call: Call,
  table: TableDescription,
  file: Blob,
  options: ImportOptions,
  signal: AbortSignal,
  tell: (report: ImportReport) => void,
): Promise<ImportReport> {
  const reader = new ItemReader(table, options)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const mistakes: LineMistake[] = []
  let [bytesRead, written, kept, mistakeCount] = [0, 0, 0, 0]
  let waiting: NumberedItem[] = []
  const report = (): ImportReport => {
    const current = { bytesRead, written, kept, mistakes: mistakeCount, firstMistakes: [...mistakes] }
    tell(current)
    return current
  }
  const note = (line: number, message: string): void => {
    mistakeCount++
    if (mistakes.length < mostMistakes) mistakes.push({ line, message })
  }
  const write = async (items: readonly NumberedItem[]): Promise<void> => {
    const batches = Array.from({ length: Math.ceil(items.length / batchItems) }, (_, at) =>
      items.slice(at * batchItems, (at + 1) * batchItems),
    )
    await inParallel(batches, 4, signal, async (batch) => {
      const outcome =
        options.existing === 'replace'
          ? await writeBatch(call, table, batch, signal)
          : await writeEach(call, table, batch, signal, true)
      written += outcome.written
      kept += outcome.kept
      for (const { line, message } of outcome.mistakes) note(line, message)
      report()
    })
  }
  const take = async (read: readonly ReadItem[]): Promise<void> => {
    for (const entry of read) {
      if (entry.kind === 'mistake') note(entry.line, entry.message)
      else waiting.push(entry)
    }
    while (waiting.length >= waveItems) {
      const wave = waiting.slice(0, waveItems)
      waiting = waiting.slice(waveItems)
      await write(wave)
    }
  }
  const stream = file.stream().getReader()
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await stream.read()
      if (done) break
      await take(reader.push(decoder.decode(value, { stream: true })))
      bytesRead += value.byteLength
      report()
    }
    await take(reader.push(decoder.decode()))
    await take(reader.end())
    await write(waiting)
    return report()
  } catch (error) {
    report()
    if (error instanceof TypeError) throw new Error('The file is not UTF-8 text.', { cause: error })
    throw error
  } finally {
    await stream.cancel().catch(() => undefined)
  }
}

interface BatchOutcome {
  readonly written: number
  readonly kept: number
  readonly mistakes: readonly LineMistake[]
}

/** A batch that is rejected as a whole is written item by item, to find out which one is to blame. */
async function writeBatch(
  call: Call,
  table: TableDescription,
  batch: readonly NumberedItem[],
  signal: AbortSignal,
): Promise<BatchOutcome> {
  let requests: readonly object[] = batch.map(({ item }) => ({ PutRequest: { Item: item } }))
  try {
    for (let attempt = 0; requests.length > 0; attempt++) {
      const input = { RequestItems: { [table.TableName]: requests } }
      const { UnprocessedItems } = await call<{ UnprocessedItems?: Record<string, object[]> }>(
        'BatchWriteItem',
        input,
        signal,
      )
      requests = UnprocessedItems?.[table.TableName] ?? []
      if (requests.length > 0) await pause(Math.min(2000, 50 * 2 ** attempt), signal)
    }
    return { written: batch.length, kept: 0, mistakes: [] }
  } catch (error) {
    if (!(error instanceof ApiError) || error.name !== 'ValidationException') throw error
    return writeEach(call, table, batch, signal, false)
  }
}

async function writeEach(
  call: Call,
  table: TableDescription,
  batch: readonly NumberedItem[],
  signal: AbortSignal,
  isKept: boolean,
): Promise<BatchOutcome> {
  let [written, kept] = [0, 0]
  const mistakes: LineMistake[] = []
  for (const { line, item } of batch) {
    try {
      await call('PutItem', isKept ? createRequest(table, item) : putRequest(table, item), signal)
      written++
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) throw error
      if (isKept && error.name === 'ConditionalCheckFailedException') kept++
      else mistakes.push({ line, message: error.message })
    }
  }
  return { written, kept, mistakes }
}

function putRequest(table: TableDescription, item: Item): object {
  return { TableName: table.TableName, Item: item }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('Stopped', 'AbortError'))
    })
  })
}
