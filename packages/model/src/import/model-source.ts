import type {
  EntityDescription,
  IndexDescription,
  KeyTemplateDescription,
  ModelDescription,
  TableDescription,
} from '../description.ts'
import { camelCase, distinctNames, pascalCase, propertyName, quoted } from '../export/source-text.ts'
import { attributeSource, generatorsOf } from './attribute-source.ts'
import { patternSource } from './pattern-source.ts'
import { sourceOf } from './source-of.ts'

/** A model file in TypeScript. `notes` are at its top, for whoever continues with it. Functions (computed attributes,
 *  validators, most defaults) are not in a description, and are noted where they were. */
export function modelSource(description: ModelDescription, notes: readonly string[] = []): string {
  const { entities, patterns, tables } = description
  const constants = new Map(
    distinctNames(entities, ({ name }) => pascalCase(name)).map((constant, i) => [
      entities[i]?.name ?? '',
      constant,
    ]),
  )
  const imported = ['entity', 'model', ...generatorsOf(entities), 's'].toSorted()
  const exported = nameOfModel(description.name, new Set([...constants.values(), ...imported]))
  const listed = entities.map(({ name }) => {
    const constant = constants.get(name) ?? ''
    return constant === name ? constant : `${propertyName(name)}: ${constant}`
  })
  return `${notes.map((note) => `// ${note.replaceAll(/\s+/g, ' ')}\n`).join('')}import { ${imported.join(', ')} } from '@hashrange/model'

${entities.map((entity) => entitySource(entity, constants.get(entity.name) ?? '', description)).join('\n\n')}

export const ${exported} = model({
  name: ${quoted(description.name)},
${optional('description', description.description)}${optional('owner', description.owner)}${tablesSource(description, tables)}  entities: { ${listed.join(', ')} },
  patterns: ${patterns.length === 0 ? '() => ({})' : `(p) => ({\n${patterns.map((pattern) => `    ${propertyName(pattern.name)}: ${patternSource(description, pattern)},`).join('\n')}\n  })`},
})
`
}

function nameOfModel(name: string, taken: ReadonlySet<string>): string {
  const wanted = camelCase(name)
  return taken.has(wanted) || reservedWords.has(wanted) ? `${wanted}Model` : wanted
}

/** What a module cannot call a constant. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if ' +
    'implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof ' +
    'undefined var void while with yield'
  ).split(' '),
)

function optional(field: string, text: string | undefined): string {
  return text === undefined ? '' : `  ${field}: ${quoted(text)},\n`
}

function entitySource(entity: EntityDescription, constant: string, { tables }: ModelDescription): string {
  const { name, key, indexKeys, satellites, volume, description, owner, table } = entity
  const described = tables.find(({ id }) => id === table)
  const attributes = entity.attributes.map((each) => `  ${propertyName(each.name)}: ${attributeSource(each)},`)
  const calls = [
    tables.length > 1 || table !== 'main' ? `.in(${quoted(table)})` : '',
    `.key(${sourceOf({ pk: key.partition.text, sk: key.sort?.text, shared: entity.sharesKeys })})`,
    ...indexKeys.map((indexKey) => {
      const index = described?.indexes.find((each) => each.name === indexKey.index)
      const pk = index?.kind === 'local' ? undefined : keySource(indexKey.partition, isMulti(index))
      const when = indexKey.when?.map(({ attribute, values }) => [
        attribute,
        values.length === 1 ? values[0] : values,
      ])
      const specification = {
        pk,
        sk: keySource(indexKey.sort, isMulti(index)),
        when: when && Object.fromEntries(when),
      }
      return `.index(${quoted(indexKey.index)}, ${sourceOf(specification)})`
    }),
    ...satellites.map((satellite) => satelliteSource(entity, satellite)),
    Object.keys(volume).length > 0 ? `.volume(${sourceOf(volume)})` : '',
    description === undefined ? '' : `.describe(${quoted(description)})`,
    owner === undefined ? '' : `.owner(${quoted(owner)})`,
  ].filter((call) => call !== '')
  return `const ${constant} = entity(${quoted(name)}, {\n${attributes.join('\n')}\n})\n  ${calls.join('\n  ')}`
}

function isMulti(index: IndexDescription | undefined): boolean {
  return index !== undefined && (index.partitionKeys.length > 1 || index.sortKeys.length > 1)
}

function keySource(
  templates: readonly KeyTemplateDescription[],
  isList: boolean,
): string | readonly string[] | undefined {
  if (templates.length === 0) return undefined
  return isList ? templates.map(({ attribute }) => attribute) : templates[0]?.text
}

function satelliteSource(entity: EntityDescription, satellite: EntityDescription['satellites'][number]): string {
  const { kind, name, attributes, key, each, include } = satellite
  const keys = { pk: key.partition.text, sk: key.sort?.text }
  if (kind === 'unique') {
    const joined = attributes.join('+')
    const usual = `UNIQUE#${entity.name}#${joined}#${attributes.map((attribute) => `{${attribute}}`).join('#')}`
    const isUsual = keys.pk === usual && keys.sk === 'UNIQUE'
    const what = sourceOf(attributes.length === 1 ? attributes[0] : attributes)
    return isUsual ? `.unique(${what})` : `.unique(${what}, ${sourceOf(keys)})`
  }
  const specification = { ...keys, each, include: include.length > 0 ? include : undefined }
  return `.indexItem(${quoted(name.slice(entity.name.length + 1))}, ${sourceOf(specification)})`
}

function tablesSource(description: ModelDescription, tables: readonly TableDescription[]): string {
  const [only] = tables
  if (only !== undefined && tables.length === 1 && only.id === 'main') {
    const source = sourceOf(tableConfig(description, only, description.name), 1)
    return source === '{}' ? '' : `  table: ${source},\n`
  }
  const configs = tables.map((table) => [
    table.id,
    tableConfig(description, table, `${description.name}-${table.id}`),
  ])
  return `  tables: ${sourceOf(Object.fromEntries(configs), 1)},\n`
}

function tableConfig({ entities }: ModelDescription, table: TableDescription, usualName: string) {
  const used = new Set(entities.flatMap(({ indexKeys }) => indexKeys.map(({ index }) => index)))
  const indexes = table.indexes.flatMap((index) => {
    const config = indexConfig(index, table, entities)
    return used.has(index.name) && Object.values(config).some((value) => value !== undefined)
      ? [[index.name, config]]
      : []
  })
  return {
    name: table.name === usualName ? undefined : table.name,
    pk: table.partitionKey.name === 'pk' ? undefined : table.partitionKey.name,
    sk: table.sortKey === undefined || table.sortKey.name === 'sk' ? undefined : table.sortKey.name,
    discriminator: table.discriminator === 'entity' ? undefined : table.discriminator || 'by-key',
    indexes: indexes.length === 0 ? undefined : Object.fromEntries(indexes),
    billing: table.billing.mode === 'on-demand' ? undefined : { ...table.billing },
    stream: table.stream,
    pointInTimeRecovery: table.pointInTimeRecovery,
    deletionProtection: table.deletionProtection,
    tableClass: table.tableClass,
    global: table.global,
    description: table.description,
  }
}

function indexConfig(
  index: IndexDescription,
  { discriminator }: TableDescription,
  entities: readonly EntityDescription[],
) {
  const attributes = entities.flatMap((entity) => entity.attributes)
  const modelName = (stored: string): string =>
    attributes.find(({ storedName }) => storedName === stored)?.name ?? stored
  const [partition] = index.partitionKeys
  const [sort] = index.sortKeys
  const single = !isMulti(index)
  const own = (name: string | undefined, usual: string): string | undefined =>
    single && name !== usual ? name : undefined
  const { projection } = index
  return {
    pk: index.kind === 'local' ? undefined : own(partition?.name, `${index.name}pk`),
    sk: own(sort?.name, `${index.name}sk`),
    projection:
      projection.type === 'INCLUDE'
        ? projection.attributes.filter((name) => name !== discriminator).map(modelName)
        : projection.type === 'ALL'
          ? undefined
          : projection.type,
  }
}
