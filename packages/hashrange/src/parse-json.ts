/** The JSON of a file that a person has written. Programs on Windows start a file with a byte order mark. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''))
}
