import type { LocationDescription } from '../description.ts'

/** Where in the model file something was defined: `depth` is the number of calls of this library in between.
 *  Undefined if stacks have another form. */
export function locate(origin: Error, depth: number): LocationDescription | undefined {
  const frame = (origin.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))[depth]
  const match = /(?:\(|at (?:async )?)((?:file:\/\/)?[^()]+):(\d+):(\d+)\)?$/.exec(frame ?? '')
  if (match === null) return undefined
  const [, file = '', line, column] = match
  return { file: file.replace(/^file:\/\//, ''), line: Number(line), column: Number(column) }
}
