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

/** The readers without options, which are those of a program that reads record after record. */
const readers = new WeakMap<AnyModel, ChangeReader>()

function readerOf(model: AnyModel, options: ReadStreamOptions): ChangeReader {
  if (Object.keys(options).length > 0) return new ChangeReader(model, options)
  const known = readers.get(model)
  if (known !== undefined) return known
  const made = new ChangeReader(model, options)
  readers.set(model, made)
  return made
}
