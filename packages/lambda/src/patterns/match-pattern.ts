import type { ObjectPattern, Pattern, Test } from './pattern.ts'

/** Whether an event, as parsed JSON, has what a pattern asks for. */
export function matchesPattern(pattern: ObjectPattern, event: unknown): boolean {
  return matchesObject(pattern, event)
}

/** If the event has a list where the pattern has names, one of its elements must have all of them. */
function matchesObject(pattern: ObjectPattern, value: unknown): boolean {
  if (Array.isArray(value) && value.length > 0) return value.some((element) => matchesObject(pattern, element))
  return (
    pattern.members.every(([name, member]) => matches(member, memberOf(value, name))) &&
    pattern.alternatives.every((choices) => choices.some((choice) => matchesObject(choice, value)))
  )
}

function matches(pattern: Pattern, value: unknown): boolean {
  return pattern.kind === 'object'
    ? matchesObject(pattern, value)
    : pattern.tests.some((test) => holds(test, value))
}

/** A list holds what one of its elements does. What is not there, an empty list and an object are no values. */
function holds(test: Test, value: unknown): boolean {
  if (test.kind === 'exists') return isValue(value) === test.isThere
  if (Array.isArray(value)) return value.some((element) => holds(test, element))
  if (!isValue(value)) return false
  switch (test.kind) {
    case 'equals':
      return value === test.value
    case 'text':
      return typeof value === 'string' && test.match(value)
    case 'number':
      return typeof value === 'number' && test.match(value)
    case 'none':
      return !test.of.some((other) => holds(other, value))
  }
}

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isValue)
  return value !== undefined && (value === null || typeof value !== 'object')
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
