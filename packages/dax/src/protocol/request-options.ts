import { readAttributeValue } from '../wire/attribute-values.ts'
import type { CborReader } from '../wire/cbor-reader.ts'
import { malformed } from '../wire/malformed.ts'

/** What a request may have besides its arguments. Expressions and keys are still in the form in which they were sent. */
export interface RequestOptions {
  projection?: Buffer
  consistent?: boolean
  ReturnConsumedCapacity?: string
  condition?: Buffer
  ReturnItemCollectionMetrics?: string
  ReturnValues?: string
  update?: Buffer
  startKey?: Buffer
  filter?: Buffer
  IndexName?: string
  Limit?: number
  ScanIndexForward?: boolean
  Select?: string
  Segment?: number
  TotalSegments?: number
  ClientRequestToken?: string
}

const capacities = ['NONE', 'TOTAL', 'INDEXES']
const metrics = ['NONE', 'SIZE']
const returnValues = ['', 'NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW']
const selections = ['', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'COUNT', 'SPECIFIC_ATTRIBUTES']

type ReadOption = (reader: CborReader, options: RequestOptions) => void

/** Expressions and keys that are not there may be sent as nothing at all. */
function unlessEmpty(reader: CborReader, keep: (bytes: Buffer) => void): void {
  const bytes = reader.bytes()
  if (bytes.length > 0) keep(bytes)
}

const readers: readonly (ReadOption | undefined)[] = [
  (reader, options) => unlessEmpty(reader, (bytes) => (options.projection = bytes)),
  undefined, // Names, which are in the expressions already.
  (reader, options) => (options.consistent = reader.boolean()),
  (reader, options) => (options.ReturnConsumedCapacity = wordAt(capacities, reader.integer())),
  (reader, options) => unlessEmpty(reader, (bytes) => (options.condition = bytes)),
  undefined, // Values, likewise.
  (reader, options) => (options.ReturnItemCollectionMetrics = wordAt(metrics, reader.integer())),
  (reader, options) => (options.ReturnValues = wordAt(returnValues, reader.integer())),
  (reader, options) => unlessEmpty(reader, (bytes) => (options.update = bytes)),
  (reader, options) => unlessEmpty(reader, (bytes) => (options.startKey = bytes)),
  (reader, options) => unlessEmpty(reader, (bytes) => (options.filter = bytes)),
  (reader, options) => (options.IndexName = reader.textOrBytes()),
  undefined, // The key condition is an argument.
  (reader, options) => (options.Limit = reader.integer()),
  (reader, options) => (options.ScanIndexForward = reader.boolean()),
  (reader, options) => (options.Select = wordAt(selections, reader.integer())),
  (reader, options) => (options.Segment = reader.integer()),
  (reader, options) => (options.TotalSegments = reader.integer()),
  undefined, // The items of batches are arguments.
  (reader, options) => (options.ClientRequestToken = reader.textOrBytes()),
]

/** Some clients send an expression twice: first its text, then in the form that counts. */
export function readOptions(reader: CborReader): RequestOptions {
  const options: RequestOptions = {}
  if (reader.takeNull()) return options
  reader.map(() => {
    const read = readers[reader.integer()]
    if (read === undefined || reader.takeNull()) skip(reader, read)
    else read(reader, options)
  })
  return options
}

function skip(reader: CborReader, read: ReadOption | undefined): void {
  if (read === undefined) readAttributeValue(reader)
}

function wordAt(words: readonly string[], position: number): string {
  const word = words[position]
  if (word === undefined || word === '') throw malformed('an option has an unknown value')
  return word
}
