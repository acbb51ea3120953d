import { StorageError } from '@hashrange/engine'

/** Why `open` failed, for a program: it has options and no flags, and the process that uses its folder may be itself. */
export function explainOpening(error: unknown, path: string | undefined): unknown {
  if (!(error instanceof StorageError) || path === undefined) return error
  const isOwn = error.code === 'locked' && error.message.includes(`in use by process ${process.pid}.`)
  const message = isOwn
    ? `The data folder ${path} is already open in this process. Use that database, or close it first.`
    : error.message.replace('start with another --path', 'open another path').replace('with --path', 'as path')
  return new StorageError(error.code, message, error.cause)
}
