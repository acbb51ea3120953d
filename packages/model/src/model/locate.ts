import type { LocationDescription } from '../description.ts'

/** Where in the model file something was defined: the first place of the stack that is not of this library. Undefined if
 *  the engine's stacks have another form. */
export function locate(origin: Error): LocationDescription | undefined {
  const frames = (origin.stack ?? '').split('\n').slice(1)
  const here = fileOf(frames[0] ?? '')
  if (here === undefined) return undefined
  const library = here.slice(0, here.lastIndexOf('/model/'))
  for (const frame of frames) {
    const match = /\(?((?:file:\/\/)?[^()\s][^()]*):(\d+):(\d+)\)?$/.exec(frame)
    if (match === null) continue
    const [, file = '', line, column] = match
    const path = file.replace(/^\s*at (async )?/, '').replace(/^file:\/\//, '')
    const isOurs = path.startsWith(`${library}/`) && !/\.(test|model)\.[cm]?[jt]s$/.test(path)
    if (!isOurs) return { file: path, line: Number(line), column: Number(column) }
  }
  return undefined
}

function fileOf(frame: string): string | undefined {
  const match = /\(?((?:file:\/\/)?\/[^()]*):\d+:\d+\)?$/.exec(frame)
  return match?.[1]?.replace(/^file:\/\//, '')
}
