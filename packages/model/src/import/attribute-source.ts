import type {
  AttributeDescription,
  EntityDescription,
  ExtentDescription,
  ValueDescription,
} from '../description.ts'
import { unreachable } from '../errors.ts'
import { propertyName, quoted } from '../export/source-text.ts'
import { sourceOf } from './source-of.ts'

/** One attribute as a model file defines it: `s.int().range(1, 5).optional()`. */
export function attributeSource(attribute: AttributeDescription): string {
  const { isOptional, isReadOnly, computedFrom, type } = attribute
  const isShard = type === 'shard'
  return [
    valueSource(attribute),
    isReadOnly && !isShard ? '.readOnly()' : '',
    type === 'version' || isShard ? '' : defaultSource(attribute),
    isOptional ? '.optional()' : '',
    attribute.storedName === undefined ? '' : `.as(${quoted(attribute.storedName)})`,
    computedFrom === undefined ? '' : ` /* was computed from ${computedFrom.join(', ').replaceAll('*/', '')} */`,
    attribute.isValidated === true ? ' /* had a validator */' : '',
    attribute.readAs === 'codec' ? ' /* had a codec */' : '',
  ].join('')
}

/** The names that defaults need from the library. */
export function generatorsOf(entities: readonly EntityDescription[]): readonly string[] {
  const used = entities.flatMap(({ attributes }) => attributes.flatMap((each) => generatorOf(each) ?? []))
  return [...new Set(used)]
}

function generatorOf({ hasDefault, defaultValue, type }: AttributeDescription): string | undefined {
  if (!hasDefault || defaultValue !== undefined) return undefined
  if (type === 'ulid' || type === 'uuid') return type
  return type === 'iso' ? 'now' : undefined
}

function defaultSource(attribute: AttributeDescription): string {
  if (!attribute.hasDefault) return ''
  if (attribute.isSetOnWrite === true) return attribute.type === 'iso' ? '.onWrite(now)' : ' /* was set on write */'
  if (attribute.defaultValue !== undefined) return `.default(${sourceOf(attribute.defaultValue)})`
  const generator = generatorOf(attribute)
  return generator === undefined ? ' /* had a default */' : `.default(${generator})`
}

function valueSource(value: ValueDescription & { readonly description?: string }): string {
  const { range, sizeBytes, count, distinct, description } = value
  return [
    typeSource(value),
    range?.min !== undefined && range.max !== undefined ? `.range(${range.min}, ${range.max})` : '',
    sizeBytes === undefined ? '' : `.size(${extent(sizeBytes)})`,
    count === undefined ? '' : `.count(${extent(count)})`,
    distinct === undefined ? '' : `.distinct(${distinct})`,
    description === undefined ? '' : `.describe(${quoted(description)})`,
  ].join('')
}

function extent({ typical, max }: ExtentDescription): string {
  return max === undefined ? String(typical) : `${typical}, ${max}`
}

function fieldsSource(fields: readonly AttributeDescription[]): string {
  return `{ ${fields.map((field) => `${propertyName(field.name)}: ${attributeSource(field)}`).join(', ')} }`
}

function typeSource({
  type,
  values,
  element,
  fields,
  variants,
  precision,
  readAs,
  shard,
}: ValueDescription): string {
  if (readAs === 'bigint') return 's.bigint()'
  if (readAs === 'string') return 's.decimal()'
  switch (type) {
    case 'string':
    case 'number':
    case 'int':
    case 'boolean':
    case 'binary':
    case 'ulid':
    case 'uuid':
    case 'ttl':
    case 'version':
    case 'any':
      return `s.${type}()`
    case 'iso':
      return `s.${readAs === 'Date' ? 'date' : 'iso'}(${precision === undefined || precision === 'millisecond' ? '' : quoted(precision)})`
    case 'enum':
      return `s.enum(${(values ?? []).map(quoted).join(', ')})`
    case 'list':
    case 'record':
    case 'set':
      return `s.${type}(${element === undefined ? 's.any()' : valueSource(element)})`
    case 'map':
      if (variants !== undefined) {
        const forms = variants.of.map((form) => `${propertyName(form.name)}: ${fieldsSource(form.fields)}`)
        return `s.union(${quoted(variants.tag)}, { ${forms.join(', ')} })`
      }
      return `s.map(${fieldsSource(fields ?? [])})`
    case 'shard':
      return `s.shard(${shard?.count ?? 1}${shard?.by === undefined ? '' : `, ${quoted(shard.by)}`})`
    default:
      return unreachable(type)
  }
}
