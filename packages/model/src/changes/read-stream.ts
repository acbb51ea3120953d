import type { AnyModel } from '../model/model.ts'
import { ChangeReader, decodeChange, type ReadStreamOptions } from './change-reader.ts'
import type { ChangeIn } from './change.ts'
import type { AnyStreamRecord } from './stream-record.ts'

/** A record of a stream as a change of an entity, before and after. Undefined for guards and index items, and for unknown
 *  entities if they are to be skipped. Of a record by which one entity took the place of another, the later one. */
export function readStream<M extends AnyModel>(
  model: M,
  record: AnyStreamRecord,
  options: ReadStreamOptions = {},
): ChangeIn<M> | undefined {
  const change = readerOf(model, options).changesIn(record).at(-1)
  return change === undefined ? undefined : (decodeChange(change) as unknown as ChangeIn<M>)
}

/** By model and options: programs read record after record. */
const readers = new WeakMap<AnyModel, Map<string, ChangeReader>>()
const mostReaders = 20

function readerOf(model: AnyModel, options: ReadStreamOptions): ChangeReader {
  const ofModel = readers.get(model) ?? new Map<string, ChangeReader>()
  readers.set(model, ofModel)
  const id = JSON.stringify(options)
  const made = ofModel.get(id) ?? new ChangeReader(model, options)
  if (ofModel.size >= mostReaders) ofModel.clear()
  ofModel.set(id, made)
  return made
}
