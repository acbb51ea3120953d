import { closestWord } from '../closest-word.ts'
import type { Schema } from './config-schema.ts'

/** The first thing in `value` that is not as the schema has it, in a sentence; undefined if there is none. `place` is
 *  where the value stands, such as `triggers[0].batchSize`. */
export function mistakeIn(schema: Schema, value: unknown, place = ''): string | undefined {
  if (schema.anyOf !== undefined) return mistakeInAny(schema.anyOf, value, place)
  const name = place === '' ? 'It' : `"${place}"`
  if (kindOf(value) !== schema.type) return `${name} must be ${words.get(schema.type ?? '')}.`
  if (typeof value === 'string' && schema.enum?.includes(value) === false) {
    const meant = closestWord(value, schema.enum)
    return `${name} must be one of ${schema.enum.join(', ')}${meant === undefined ? '' : `; did you mean "${meant}"?`}`
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = schema
    if (value < minimum || value > maximum) return `${name} must be between ${minimum} and ${maximum}.`
  }
  if (Array.isArray(value)) return mistakeInList(schema, value, place)
  return typeof value === 'object' && value !== null ? mistakeInObject(schema, value, place) : undefined
}

/** Where one of the forms has the right type, its mistake says more than that none fits. */
function mistakeInAny(forms: readonly Schema[], value: unknown, place: string): string | undefined {
  const form = forms.find(({ type }) => type === kindOf(value))
  if (form !== undefined) return mistakeIn(form, value, place)
  return `"${place}" must be ${forms.map(({ type }) => words.get(type ?? '')).join(' or ')}.`
}

function mistakeInList({ items = {} }: Schema, values: readonly unknown[], place: string): string | undefined {
  for (const [index, value] of values.entries()) {
    const mistake = mistakeIn(items, value, `${place}[${index}]`)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

function mistakeInObject(schema: Schema, value: object, place: string): string | undefined {
  const { properties = {}, required = [], additionalProperties } = schema
  const below = (name: string): string => (place === '' ? name : `${place}.${name}`)
  for (const [name, part] of Object.entries(value)) {
    // What is undefined in a program is not there.
    if (part === undefined) continue
    const form = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (form === false) {
      const meant = closestWord(name, Object.keys(properties))
      return `There is no setting "${below(name)}"${meant === undefined ? `. Settings are: ${Object.keys(properties).join(', ')}.` : `; did you mean "${meant}"?`}`
    }
    const mistake = form === undefined ? undefined : mistakeIn(form, part, below(name))
    if (mistake !== undefined) return mistake
  }
  const missing = required.find((name) => !Object.hasOwn(value, name))
  return missing === undefined ? undefined : `"${place}" needs "${missing}".`
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}

const words: ReadonlyMap<string, string> = new Map([
  ['object', 'an object'],
  ['array', 'a list'],
  ['string', 'a string'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
])
