import type {
  IndexDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
  TableDescription,
} from '../description.ts'

interface Kind {
  readonly name: string
  readonly partition: string
  readonly sort: string
}

/** A Mermaid diagram of the item collections of a table or an index: a box for each partition key, containing its
 *  items in the order of the sort key, and beside it the patterns that read it. Undefined if it is empty. */
export function collectionDiagram(
  description: ModelDescription,
  table: TableDescription,
  index: IndexDescription | undefined,
): string | undefined {
  const kinds = kindsIn(description, table, index)
  const partitions = [...new Set(kinds.map(({ partition }) => partition))]
  if (partitions.length === 0) return undefined
  const patterns = description.patterns.filter(
    (pattern) => pattern.table === table.id && pattern.index === index?.name && isRead(pattern),
  )
  return [
    'flowchart LR',
    ...partitions.flatMap((partition, i) => {
      const inside = kinds.filter((kind) => kind.partition === partition).toSorted(bySort)
      return [
        `  subgraph c${i}["${label(partition)}"]`,
        '    direction TB',
        ...inside.map(({ name, sort }, n) => `    c${i}n${n}["${label(sort === '' ? name : `${sort}: ${name}`)}"]`),
        '  end',
      ]
    }),
    ...patterns.flatMap((pattern, i) => {
      const targets = partitions.flatMap((partition, n) => (reads(pattern, partition, kinds) ? [`c${n}`] : []))
      if (targets.length === 0) return []
      return [`  p${i}(["${label(pattern.name)}"])`, ...targets.map((target) => `  p${i} --> ${target}`)]
    }),
  ].join('\n')
}

function kindsIn(
  { entities }: ModelDescription,
  table: TableDescription,
  index: IndexDescription | undefined,
): readonly Kind[] {
  const present = entities.filter((entity) => entity.table === table.id)
  if (index !== undefined) {
    return present.flatMap(({ name, indexKeys }) =>
      indexKeys
        .filter((key) => key.index === index.name)
        .map(({ partition, sort }) => ({ name, partition: joined(partition), sort: joined(sort) })),
    )
  }
  return present.flatMap((entity) =>
    [entity, ...entity.satellites].map(({ name, key }) => ({
      name,
      partition: key.partition.text,
      sort: key.sort?.text ?? '',
    })),
  )
}

function isRead({ operation }: PatternDescription): boolean {
  return operation === 'Query' || operation === 'Scan' || operation === 'GetItem' || operation === 'BatchGetItem'
}

function reads(
  { partition, via, entities }: PatternDescription,
  collection: string,
  kinds: readonly Kind[],
): boolean {
  if (partition !== undefined) return joined(partition) === collection
  const wanted = via === undefined ? entities : [via]
  return kinds.some((kind) => kind.partition === collection && wanted.includes(kind.name))
}

function joined(templates: readonly KeyTemplateDescription[]): string {
  return templates.map(({ text }) => text).join(' + ')
}

function bySort(a: Kind, b: Kind): number {
  if (a.sort === b.sort) return 0
  return a.sort < b.sort ? -1 : 1
}

/** Within quotes Mermaid reads `#name;` as a character, and HTML as HTML. */
function label(text: string): string {
  const entities: Readonly<Record<string, string>> = { '#': '#35;', '"': '#quot;', '<': '#lt;', '>': '#gt;' }
  return text.replaceAll(/[#"<>]/g, (mark) => entities[mark] ?? mark).replaceAll(/\s+/g, ' ')
}
