import type { AttributeDescription, ValueDescription } from '../description.ts'

/** Whether a reader can do without it. */
export function isSpared({
  isOptional,
  hasDefault,
  defaultValue,
  computedFrom,
  type,
}: AttributeDescription): boolean {
  const isConstant = hasDefault && defaultValue !== undefined
  return isOptional || isConstant || computedFrom !== undefined || type === 'version' || type === 'set'
}

/** The first difference between two types of a value that are stored in the same way, its path before it: `.size is number
 *  instead of int`. Undefined if each version can read and write back all that the other writes. */
export function changedForm(before: ValueDescription, after: ValueDescription, path = ''): string | undefined {
  const [was, is] = [typeText(before), typeText(after)]
  if (was !== is) return `${path} is ${is} instead of ${was}`
  if (before.element !== undefined && after.element !== undefined) {
    return changedForm(before.element, after.element, `${path}[]`) ?? changedValuesIn(before, after, path)
  }
  if (before.variants !== undefined || after.variants !== undefined) return changedVariants(before, after, path)
  return changedFields(before.fields ?? [], after.fields ?? [], path)
}

function typeText({ type, storedAs, precision, readAs, range, variants, shard }: ValueDescription): string {
  const isExact = readAs === 'bigint' || readAs === 'string'
  return [
    // A random shard is a number like any other.
    shard === undefined ? (variants === undefined ? type : 'union') : 'int',
    storedAs === 'ANY' || type === 'set' ? ` of ${storedAs}` : '',
    precision === undefined ? '' : ` by ${precision}`,
    isExact ? ` read as ${readAs}` : readAs === 'codec' ? ' with a codec' : '',
    range === undefined ? '' : ` from ${range.min ?? 'any'} to ${range.max ?? 'any'}`,
  ].join('')
}

function changedVariants(before: ValueDescription, after: ValueDescription, path: string): string | undefined {
  const [old, now] = [before.variants, after.variants]
  if (old?.tag !== now?.tag) return `${path} tells its forms apart by ${now?.tag} instead of ${old?.tag}`
  const names = (value: typeof old): string => (value?.of ?? []).map(({ name }) => name).join(', ')
  for (const { name, fields } of now?.of ?? []) {
    const known = old?.of.find((each) => each.name === name)
    if (known === undefined) return `${path} has the forms ${names(now)} instead of ${names(old)}`
    const change = changedFields(known.fields, fields, `${path}<${name}>`)
    if (change !== undefined) return change
  }
  return (old?.of.length ?? 0) === (now?.of.length ?? 0)
    ? undefined
    : `${path} has the forms ${names(now)} instead of ${names(old)}`
}

function changedFields(
  before: readonly AttributeDescription[],
  after: readonly AttributeDescription[],
  path: string,
): string | undefined {
  const old = new Map(before.map((each) => [each.name, each]))
  const fresh = new Set(after.map(({ name }) => name))
  const gone = before.find((each) => !fresh.has(each.name) && !isSpared(each))
  if (gone !== undefined) return `${path}.${gone.name} is gone, and was required`
  for (const field of after) {
    const at = `${path}.${field.name}`
    const known = old.get(field.name)
    if (known === undefined && !isSpared(field)) return `${at} is new and required`
    if (known === undefined) continue
    if (isSpared(known) !== isSpared(field))
      return `${at} is ${isSpared(field) ? 'no longer required' : 'required now'}`
    const change =
      known.storedAs === field.storedAs
        ? (changedForm(known, field, at) ?? changedValuesIn(known, field, at))
        : `${at} is stored as ${field.storedAs} instead of ${known.storedAs}`
    if (change !== undefined) return change
  }
  return undefined
}

/** Of an enum inside of something, or of its elements. */
function changedValuesIn(before: ValueDescription, after: ValueDescription, path: string): string | undefined {
  const [old, now] = [before, after].map((each) =>
    (each.values ?? each.element?.values ?? []).toSorted().join(', '),
  )
  return old === now ? undefined : `${path} can be ${now} instead of ${old}`
}
