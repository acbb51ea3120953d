/** The texts of JSON objects on one line with nothing but white space between them: the service reads all of them.
 *  Undefined if the line is anything other than two or more objects. */
export function adjacentObjects(line: string): readonly string[] | undefined {
  const objects: string[] = []
  let depth = 0
  let start = 0
  let inString = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '{') {
      if (depth++ === 0) start = at
    } else if (character === '}') {
      if (--depth < 0) return undefined
      if (depth === 0) objects.push(line.slice(start, at + 1))
    } else if (depth === 0) {
      if (character === undefined || !' \t\r'.includes(character)) return undefined
    } else if (character === '"') {
      inString = true
    }
  }
  return depth === 0 && objects.length > 1 ? objects : undefined
}
