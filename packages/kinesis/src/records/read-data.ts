import { serializationException, validationException } from '@hashrange/core'

/** The data of a record, which is sent in base64. */
export function readData(text: string, mostBytes: number): Buffer {
  // Buffer.from ignores what is not base64.
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw serializationException('The Data of a record is not in base64.')
  }
  const data = Buffer.from(text, 'base64')
  if (data.length > mostBytes) {
    throw validationException(
      `1 validation error detected: Value at 'data' failed to satisfy constraint: Member must have length less than or equal to ${mostBytes}`,
    )
  }
  return data
}
