import { parseDocument, YAMLMap, type CollectionTag, type ScalarTag, type YAMLSeq } from 'yaml'
import { TemplateError, type Json } from './table-design.ts'

/** Reads JSON, or YAML with CloudFormation's short forms: `!Ref Name` is `{ Ref: 'Name' }`. As there, the last of two equal names counts. */
export function parseText(text: string, file: string): Json {
  const document = parseAny(text, file)
  if (isDeeperThan(mostLevels, document)) throw new TemplateError(`${file} is nested too deeply.`)
  return document
}

/** Far more than any real template has, and far fewer than a function that calls itself could follow. */
const mostLevels = 200

function isDeeperThan(levels: number, document: Json): boolean {
  let level: readonly Json[] = [document]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return false
}

function parseAny(text: string, file: string): Json {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text) as Json
    } catch {
      // YAML may begin with a bracket too.
    }
  }
  const document = parseDocument(text, {
    customTags: [...shortForms],
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
  })
  const [error] = document.errors
  if (error !== undefined) throw new TemplateError(`${file} is not valid YAML or JSON: ${error.message}`)
  try {
    // What refers to itself is no JSON.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 1_000 }) ?? null)) as Json
  } catch (cause) {
    const [why = ''] = cause instanceof Error ? cause.message.split('\n', 1) : [String(cause)]
    const said = why.includes('circular') ? 'it has an anchor that contains itself' : why
    throw new TemplateError(`${file} cannot be read: ${said}`, { cause })
  }
}

const functions =
  'And Base64 Cidr Contains EachMemberEquals EachMemberIn Equals FindInMap ForEach GetAtt GetAZs If ImportValue Join Length Not Or RefAll Select Split Sub ToJsonString Transform ValueOf ValueOfAll'.split(
    ' ',
  )

/** Each short form may stand before a text, a list or a map. */
const shortForms: readonly (ScalarTag | CollectionTag)[] = [...functions, 'Ref', 'Condition'].flatMap((name) => {
  const long = name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`
  const tag = `!${name}`
  const wrap = (node: YAMLSeq | YAMLMap): YAMLMap => {
    const map = new YAMLMap()
    map.set(long, node)
    return map
  }
  return [
    { tag, resolve: (text: string) => ({ [long]: long === 'Fn::GetAtt' ? partsOf(text) : text }) },
    { tag, collection: 'seq' as const, resolve: (node: YAMLSeq | YAMLMap) => wrap(node) },
    { tag, collection: 'map' as const, resolve: (node: YAMLSeq | YAMLMap) => wrap(node) },
  ]
})

/** `!GetAtt Table.Arn` */
function partsOf(text: string): readonly string[] {
  const dot = text.indexOf('.')
  return dot === -1 ? [text] : [text.slice(0, dot), text.slice(dot + 1)]
}
