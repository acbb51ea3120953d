import { canonicalNumber, readAttributeValue, type AttributeValue } from '@hashrange/core'

/** A value as a cell of CSV. Strings and numbers stand as they are, true, false and null as words, and everything else as DynamoDB
 *  JSON. So does a string that would be read as something else, and one that a spreadsheet would take for a formula: nothing is
 *  lost on the way back, and nothing is run on the way. */
export function cellOf(value: AttributeValue): string {
  if ('N' in value) return value.N
  if ('BOOL' in value) return String(value.BOOL)
  if ('NULL' in value) return 'null'
  if ('S' in value && isPlain(value.S)) return value.S
  return JSON.stringify(value)
}

/** The value of a cell; nothing for an empty one, which is an attribute that is not there. `type` is that of a key, if it is one. */
export function valueOfCell(
  cell: string,
  type: 'S' | 'N' | 'B' | undefined,
  areAllText: boolean,
): AttributeValue | undefined {
  if (cell === '') return undefined
  if (looksTyped(cell)) {
    try {
      return readAttributeValue(JSON.parse(cell))
    } catch {
      // A string that only looks like it.
    }
  }
  if (type !== undefined) return readAttributeValue({ [type]: cell })
  if (areAllText) return { S: cell }
  if (cell === 'true' || cell === 'false') return { BOOL: cell === 'true' }
  if (cell === 'null') return { NULL: true }
  return isNumber(cell) ? { N: canonicalNumber(cell) } : { S: cell }
}

/** One line of CSV, with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/** One line as spreadsheets have it in the clipboard, with its end. */
export function tsvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')}\r\n`
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell
}

function isPlain(text: string): boolean {
  return (
    text !== '' &&
    !['true', 'false', 'null'].includes(text) &&
    !isNumber(text) &&
    !looksTyped(text) &&
    !/^[=+\-@\t\r]/.test(text)
  )
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function isNumber(text: string): boolean {
  return text.length < 200 && numberPattern.test(text)
}

function looksTyped(text: string): boolean {
  return /^\s*\{\s*"(?:S|N|B|BOOL|NULL|L|M|SS|NS|BS)"\s*:/.test(text)
}
