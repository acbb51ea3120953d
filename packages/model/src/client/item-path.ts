import type { AttributeDefinition } from '../schema/attribute.ts'
import type { Codec } from '../schema/codec.ts'
import { codecOf } from '../schema/codec.ts'
import type { CompiledAttribute, EntityRuntime } from './entity-runtime.ts'
import type { Placeholders } from './placeholders.ts'

/** A place in an item: an attribute, or a part of one, such as `address.city` or `history[0].what`. */
export interface ItemPath {
  readonly text: string
  readonly attribute: CompiledAttribute
  /** Below the attribute: names of fields, and numbers of list elements. */
  readonly steps: readonly (string | number)[]
  /** Of the value there. */
  readonly definition: AttributeDefinition
  readonly codec: Codec
  /** Whether an item may lack it. */
  readonly isOptional: boolean
}

export function itemPath(entity: EntityRuntime, text: string): ItemPath {
  const own = entity.byName.get(text)
  const parsed = own === undefined ? /^([^.[\]]+)((?:\.[^.[\]]+|\[\d{1,5}\])+)$/.exec(text) : null
  const attribute = own ?? entity.attribute(parsed?.[1] ?? text)
  const { definition, codec, described } = attribute
  if (parsed === null) return { text, attribute, steps: [], definition, codec, isOptional: described.isOptional }
  const steps = (parsed[2]?.match(/\.[^.[]+|\[\d+\]/g) ?? []).map((step) =>
    step.startsWith('.') ? step.slice(1) : Number(step.slice(1, -1)),
  )
  let part: AttributeDefinition = definition
  let isOptional = false
  for (const step of steps) {
    const next = partOf(part, step)
    if (next === undefined) {
      const hint =
        part.type === 'map'
          ? `The fields there are ${Object.keys(part.fields ?? {}).join(', ')}.`
          : `A ${part.type} has no such part.`
      throw entity.error('UNKNOWN_ATTRIBUTE', `${entity.name} has no ${text}. ${hint}`, attribute.name)
    }
    isOptional = part.type !== 'map' || next.isOptional === true
    part = next
  }
  return { text, attribute, steps, definition: part, codec: codecOf(part), isOptional }
}

/** The path in an expression: `#address.#city`, `#history[0].#what`. */
export function pathText({ attribute, steps }: ItemPath, placeholders: Placeholders): string {
  return steps.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${placeholders.field(step)}`),
    placeholders.name(attribute.name),
  )
}

function partOf(definition: AttributeDefinition, step: string | number): AttributeDefinition | undefined {
  // What the model's own functions have made has the form that they gave it.
  if (definition.codec !== undefined) return undefined
  const { type, fields = {}, element } = definition
  if (type === 'any') return definition
  if (type === 'map') return typeof step === 'string' && Object.hasOwn(fields, step) ? fields[step] : undefined
  const isElement = (type === 'record' && typeof step === 'string') || (type === 'list' && typeof step === 'number')
  return isElement ? element : undefined
}
