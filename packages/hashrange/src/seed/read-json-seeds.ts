import { canonicalNumber } from '@hashrange/core'
import { isNoSqlWorkbench, noSqlWorkbenchSeeds } from './nosql-workbench-seeds.ts'
import { SeedError, type Seed } from './seed.ts'
import { isFields, toDynamoDbJson } from './to-dynamodb-json.ts'

/** The items of a JSON file: of one table (a list, or an item per line), of several (`{ "Orders": [ … ] }`, also in the
 *  form of BatchWriteItem), or the sample data of a NoSQL Workbench model. */
export function readJsonSeeds(file: string, text: string, tableName: string): readonly Seed[] {
  const document = parsed(text)
  // An error has a position in the whole text, which helps if the text is not one item per line.
  if (document instanceof SyntaxError) return [seedOf(tableName, file, linesOf(file, text, document))]
  assertExact(file, text)
  if (Array.isArray(document)) return [seedOf(tableName, file, document)]
  if (!isFields(document)) throw new SeedError(`${file} contains no items.`)
  if (isNoSqlWorkbench(document)) return noSqlWorkbenchSeeds(file, document)
  const tables = Object.entries(document)
  if (tables.length > 0 && tables.every(([, items]) => Array.isArray(items)))
    return tables.map(([name, items]) => seedOf(name, file, items as readonly unknown[]))
  return [seedOf(tableName, file, [document])]
}

function seedOf(tableName: string, file: string, entries: readonly unknown[]): Seed {
  const items = entries.map((entry, n) =>
    toDynamoDbJson(unwrapped(entry), `${file}: item ${n + 1} of ${tableName}`),
  )
  return { tableName, origin: file, items: () => items }
}

/** BatchWriteItem wraps each item. */
function unwrapped(entry: unknown): unknown {
  if (!isFields(entry) || Object.keys(entry).length !== 1) return entry
  const put = entry['PutRequest']
  return isFields(put) ? put['Item'] : entry
}

function linesOf(file: string, text: string, whole: SyntaxError): readonly unknown[] {
  let count = 0
  return text.split('\n').flatMap((line, n) => {
    if (line.trim() === '') return []
    const item = parsed(line)
    if (item instanceof SyntaxError) {
      if (count === 0) throw new SeedError(`${file} is not JSON: ${whole.message}.`)
      throw new SeedError(`${file}, line ${n + 1}: this is not JSON.`)
    }
    assertExact(`${file}, line ${n + 1}`, line)
    count++
    return [item]
  })
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

/** DynamoDB keeps 38 digits, JSON.parse about 16: what it rounds would be stored wrong. */
function assertExact(where: string, text: string): void {
  for (const found of numbersIn(text)) {
    // Up to 15 digits, it does not round. An exponent may be too large or too small for it.
    const hasExponent = /e/i.test(found)
    if (found.length <= 15 && !hasExponent) continue
    if (sameNumber(found, String(Number(found)))) continue
    const why = hasExponent ? 'cannot be read exactly from plain JSON' : 'has too many digits for plain JSON'
    throw new SeedError(
      `${where}: the number ${found.slice(0, 50)} ${why}. Write the item in DynamoDB JSON, such as {"N": "12345678901234567890"}.`,
    )
  }
}

/** The numbers of a JSON text as they are written. */
function* numbersIn(text: string): Iterable<string> {
  const textOrNumber = /"|-?\d[\d.eE+-]*/g
  for (let found = textOrNumber.exec(text); found !== null; found = textOrNumber.exec(text)) {
    if (found[0] === '"') textOrNumber.lastIndex = afterText(text, textOrNumber.lastIndex)
    else yield found[0]
  }
}

/** Where the text that goes on at `start` has ended. It may be long, so no pattern looks for its end. */
function afterText(text: string, start: number): number {
  for (let from = start; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let escapes = 0
    while (text[quote - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

function sameNumber(one: string, other: string): boolean {
  try {
    return canonicalNumber(one) === canonicalNumber(other)
  } catch {
    // DynamoDB does not take it; what it is rounded to might be taken.
    return false
  }
}
