import type { ModelError } from '../errors.ts'
import type { AttributeDefinition } from '../schema/attribute.ts'
import { invalid } from './check-template.ts'

/** What is wrong with an attribute, or with a value inside it. */
export function checkAttribute(owner: { readonly name: string }, path: string, given: AttributeDefinition): void {
  const fault = faultOf(given)
  if (fault !== undefined) throw faulty(owner, path, fault)
  const { element, fields = {}, variants } = given
  if (element !== undefined) checkAttribute(owner, path, element)
  if (variants === undefined) checkFields(owner, path, fields)
  else checkForms(owner, path, variants)
}

function checkFields(
  owner: { readonly name: string },
  path: string,
  fields: Readonly<Record<string, AttributeDefinition>>,
): void {
  for (const [name, field] of Object.entries(fields)) checkAttribute(owner, `${path}.${name}`, field)
}

function checkForms(
  owner: { readonly name: string },
  path: string,
  { tag, of }: NonNullable<AttributeDefinition['variants']>,
): void {
  const forms = Object.entries(of)
  if (forms.length === 0) throw faulty(owner, path, 'is a union without forms. Give it one')
  for (const [form, fields] of forms) {
    if (Object.hasOwn(fields, tag))
      throw faulty(
        owner,
        path,
        `has a field ${tag} in its form ${form}, but ${tag} tells the forms apart. Rename it`,
      )
    checkFields(owner, path, fields)
  }
}

function faultOf(definition: AttributeDefinition): string | undefined {
  const { type, storedAs, storedName, element, range, count, shard, shardsBefore } = definition
  if (storedName === '') return 'is stored under an empty name. Choose another'
  if (range !== undefined && storedAs !== 'N') return `is of type ${type}, which has no range. Remove .range()`
  if (count !== undefined && !['list', 'set', 'record'].includes(type))
    return `is of type ${type}, which has no count. Remove .count()`
  const shards = [shard?.count, shardsBefore].find(
    (each) => each !== undefined && !(Number.isInteger(each) && each >= 1 && each <= 10_000),
  )
  if (shards !== undefined) return `has a shard count of ${shards}. It must be a whole number from 1 to 10000`
  if (type === 'set' && element !== undefined && !['S', 'N', 'B'].includes(element.storedAs))
    return `is a set of ${element.type}. A set can hold strings, numbers or binary values. Use s.list()`
  return undefined
}

function faulty(owner: { readonly name: string }, path: string, fault: string): ModelError {
  return invalid(owner, `has an attribute ${path} that ${fault}`)
}
