import { unreachable } from '@hashrange/core'
import { checkTableName, isTableName, tableNameConstraints } from './check-table-name.ts'
import type { ConstraintErrors } from './constraint-errors.ts'
import { isRecord } from './is-record.ts'
import { lowerFirst, renderJson } from './render-value.ts'
import type { Bounds, ListShape, MapShape, MemberShape, ScalarShape, Shape, StructureShape } from './shapes.ts'

/** Adds to `errors` whatever the API model forbids in a value whose types are right. */
export type ConstraintChecker = (value: unknown, path: string, errors: ConstraintErrors) => void

/** Undefined if nothing in the shape is constrained, so that most of a request is never walked. */
export function compileConstraintChecker(shape: Shape): ConstraintChecker | undefined {
  switch (shape.kind) {
    case 'structure':
      return structureChecker(shape)
    case 'list':
      return listChecker(shape)
    case 'map':
      return mapChecker(shape)
    case 'attribute-value':
      return undefined
    case 'string':
    case 'integer':
    case 'long':
    case 'double':
    case 'boolean':
    case 'timestamp':
      return scalarChecker(shape)
    default:
      return unreachable(shape)
  }
}

const mustNotBeNull = 'Member must not be null'

function structureChecker(shape: StructureShape): ConstraintChecker | undefined {
  const checks = shape.members.flatMap((member) => {
    const check = memberChecker(member)
    return check === undefined ? [] : [{ name: member.name, path: lowerFirst(member.name), check }]
  })
  if (checks.length === 0) return undefined
  return (value, path, errors) => {
    if (!isRecord(value)) return
    for (const { name, path: memberPath, check } of checks) {
      check(value[name], path === '' ? memberPath : `${path}.${memberPath}`, errors)
    }
  }
}

function memberChecker({ name, required, shape }: MemberShape): ConstraintChecker | undefined {
  const check = name === 'TableName' && shape.kind === 'string' ? checkTableName : compileConstraintChecker(shape)
  if (check === undefined && !required) return undefined
  return (value, path, errors) => {
    if (value !== undefined) check?.(value, path, errors)
    else if (required) errors.add(null, shape, path, mustNotBeNull)
  }
}

function listChecker(shape: ListShape): ConstraintChecker | undefined {
  const { element } = shape
  const check = compileConstraintChecker(element)
  const elementConstraints = isScalar(element) ? describeConstraints(element) : []
  return (value, path, errors) => {
    if (!Array.isArray(value)) return
    const list: readonly unknown[] = value
    checkLength(list.length, value, shape, path, errors)
    for (let index = 0; index < list.length && !errors.isFull; index++) {
      const member = list[index]
      if (member === null) {
        errors.add(null, element, `${path}.${index + 1}.member`, mustNotBeNull)
      } else if (elementConstraints.length === 0) {
        check?.(member, `${path}.${index + 1}.member`, errors)
      } else if (isScalar(element) && !satisfies(member, element)) {
        errors.add(value, shape, path, `Member must satisfy constraint: [${elementConstraints.join(', ')}]`)
        return
      }
    }
  }
}

function mapChecker(shape: MapShape): ConstraintChecker | undefined {
  const { key, value: valueShape } = shape
  const check =
    valueShape.kind === 'list' || isScalar(valueShape) ? undefined : compileConstraintChecker(valueShape)
  const valueConstraints = mapValueConstraints(valueShape)
  const checkElements = valueShape.kind === 'list' ? listElementsChecker(valueShape) : undefined
  if (valueShape.kind === 'attribute-value' && !shape.keyedByTable && !isBounded(shape)) return undefined
  return (value, path, errors) => {
    if (!isRecord(value)) return
    if (isBounded(shape)) checkLength(Object.keys(value).length, value, shape, path, errors)
    // BatchWriteItem, whose map comes last, does not mention names if anything else is wrong.
    if (shape.keyedByTable && errors.isEmpty && !Object.keys(value).every(isTableName)) {
      const constraint = `Map keys must satisfy constraint: [${tableNameConstraints.join(', ')}]`
      // BatchGetItem prints what it was sent, BatchWriteItem what it parsed.
      if (valueShape.kind === 'list') errors.add(value, shape, path, constraint)
      else errors.addRendered(`'${renderJson(value)}'`, path, constraint)
    }
    if (key !== undefined && isScalar(key) && !Object.keys(value).every((name) => satisfies(name, key)))
      errors.add(value, shape, path, `Map keys must satisfy constraint: [${describeConstraints(key).join(', ')}]`)
    for (const name in value) {
      const member = value[name]
      if (member === null) {
        errors.add(null, valueShape, `${path}.${name}.member`, mustNotBeNull)
      } else if (!isMapValue(member, valueShape)) {
        errors.add(value, shape, path, `Map value must satisfy constraint: [${valueConstraints.join(', ')}]`)
        if (isScalar(valueShape)) return
      } else {
        check?.(member, `${path}.${name}.member`, errors)
        checkElements?.(member, `${path}.${name}.member`, errors)
      }
      if (errors.isFull) return
    }
  }
}

/** What is reported for the map, and not for the value in it. */
function mapValueConstraints(shape: Shape): string[] {
  if (shape.kind === 'list') return lengthConstraints(shape)
  return isScalar(shape) ? describeConstraints(shape) : []
}

function isMapValue(member: unknown, shape: Shape): boolean {
  if (shape.kind === 'list') return !Array.isArray(member) || isWithin(member.length, shape)
  return !isScalar(shape) || satisfies(member, shape)
}

/** A list inside a map: its length is reported for the map, its elements as everywhere. */
function listElementsChecker(shape: ListShape): ConstraintChecker | undefined {
  return compileConstraintChecker({ kind: 'list', name: shape.name, element: shape.element })
}

/** The one enumeration that the service checks after everything else, with a message of its own. */
const checkedLate = 'TableClass'

function scalarChecker(shape: ScalarShape): ConstraintChecker | undefined {
  const { values, pattern, minimum, maximum } = shape
  if (describeConstraints(shape).length === 0 || shape.name === checkedLate) return undefined
  const measured = shape.kind === 'string' ? 'length' : 'value'
  return (value, path, errors) => {
    if (satisfies(value, shape)) return
    const size = sizeOf(value)
    if (values !== undefined)
      errors.add(value, shape, path, `Member must satisfy enum value set: [${values.join(', ')}]`)
    if (
      pattern !== undefined &&
      (size <= longestForPatterns || maximum === undefined || size <= maximum) &&
      !regExpOf(pattern).test(String(value))
    ) {
      errors.add(value, shape, path, `Member must satisfy regular expression pattern: ${pattern}`)
    }
    if (minimum !== undefined && size < minimum) {
      errors.add(value, shape, path, `Member must have ${measured} greater than or equal to ${minimum}`)
    }
    if (maximum !== undefined && size > maximum) {
      errors.add(value, shape, path, `Member must have ${measured} less than or equal to ${maximum}`)
    }
  }
}

/** A value that is longer than the service accepts is not matched against the pattern, unless it is short. */
const longestForPatterns = 1_024

function satisfies(value: unknown, shape: ScalarShape): boolean {
  if (shape.values !== undefined) return typeof value === 'string' && shape.values.includes(value)
  // The length comes first: no pattern runs over more than the service would accept.
  if (!isWithin(sizeOf(value), shape)) return false
  return shape.pattern === undefined || regExpOf(shape.pattern).test(String(value))
}

function checkLength(
  length: number,
  value: unknown,
  shape: ListShape | MapShape,
  path: string,
  errors: ConstraintErrors,
): void {
  const { minimum, maximum } = shape
  if (minimum !== undefined && length < minimum) {
    errors.add(value, shape, path, `Member must have length greater than or equal to ${minimum}`)
  }
  if (maximum !== undefined && length > maximum) {
    errors.add(value, shape, path, `Member must have length less than or equal to ${maximum}`)
  }
}

function describeConstraints(shape: ScalarShape): string[] {
  const { values, pattern } = shape
  return [
    ...lengthConstraints(shape, shape.kind === 'string' ? 'length' : 'value'),
    ...(pattern === undefined ? [] : [`Member must satisfy regular expression pattern: ${pattern}`]),
    ...(values === undefined ? [] : [`Member must satisfy enum value set: [${values.join(', ')}]`]),
  ]
}

function lengthConstraints({ minimum, maximum }: Bounds, measured: 'length' | 'value' = 'length'): string[] {
  return [
    ...(maximum === undefined ? [] : [`Member must have ${measured} less than or equal to ${maximum}`]),
    ...(minimum === undefined ? [] : [`Member must have ${measured} greater than or equal to ${minimum}`]),
  ]
}

function isWithin(size: number, { minimum, maximum }: Bounds): boolean {
  return (minimum === undefined || size >= minimum) && (maximum === undefined || size <= maximum)
}

function isBounded({ minimum, maximum }: Bounds): boolean {
  return minimum !== undefined || maximum !== undefined
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length : Number(value)
}

function isScalar(shape: Shape): shape is ScalarShape {
  return 'name' in shape && shape.kind !== 'structure' && shape.kind !== 'list' && shape.kind !== 'map'
}

const regExps = new Map<string, RegExp>()

/** The model's patterns are Java's, and must match the whole value. */
function regExpOf(pattern: string): RegExp {
  let regExp = regExps.get(pattern)
  if (regExp === undefined) {
    regExp = new RegExp(`^(?:${pattern.replaceAll('\\p{Print}', '[\\x20-\\x7E]')})$`, 'u')
    regExps.set(pattern, regExp)
  }
  return regExp
}
