/** The path of an object's key below its bucket's folder. Keys may contain what no path should: parts that lead out
 *  of the folder, empty parts, and characters that some systems reject. These are escaped with `%` and two
 *  hexadecimal digits. */
export function pathOfKey(key: string): string {
  return key.split('/').map(escapePart).join('/')
}

export function keyOfPath(parts: readonly string[]): string {
  return parts.map(unescapePart).join('/')
}

// oxlint-disable-next-line no-control-regex
const unsafe = /[%\\:*?"<>|\u0000-\u001f]/g

function escapePart(part: string): string {
  if (part === '') return '%'
  const escaped = part.replaceAll(unsafe, escapeCharacter)
  return escaped === '.' || escaped === '..' ? escaped.replaceAll('.', escapeCharacter) : escaped
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

function unescapePart(part: string): string {
  if (part === '%') return ''
  return part.replaceAll(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
