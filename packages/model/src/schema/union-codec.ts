import type { AttributeDefinition } from './attribute.ts'
import type { Codec } from './codec.ts'
import type { Field } from './collection-codecs.ts'
import { isPlainObject, mapCodec } from './collection-codecs.ts'
import { mismatch, refusal } from './value-errors.ts'

/** An object of one of several forms; `tag` is the field that says which. */
export function unionCodec(
  { tag, of }: NonNullable<AttributeDefinition['variants']>,
  fieldsOf: (fields: Readonly<Record<string, AttributeDefinition>>) => readonly Field[],
): Codec {
  const forms = new Map(Object.entries(of).map(([name, fields]) => [name, mapCodec(fieldsOf(fields))]))
  const expected = `an object whose ${tag} is ${[...forms.keys()].join(' or ')}`
  return {
    encode: (value, path) => {
      if (!isPlainObject(value)) throw refusal(path, expected, value)
      const { [tag]: name, ...rest } = value
      const form = typeof name === 'string' ? forms.get(name) : undefined
      if (form === undefined) throw refusal(path, expected, value)
      return { M: { [tag]: { S: String(name) }, ...form.encode(rest, path)?.M } }
    },
    decode: (stored, path) => {
      const map = stored.M ?? mismatch(path, 'M', stored)
      const name = map[tag]?.S ?? ''
      const form = forms.get(name) ?? mismatch(path, expected, stored)
      return { [tag]: name, ...(form.decode(stored, path) as object) }
    },
  }
}
