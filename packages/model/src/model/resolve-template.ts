import type { AttributeDescription, KeyPartDescription, KeyTemplateDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { fixedWidthOf } from '../keys/match-key.ts'
import { parseTemplate } from '../keys/parse-template.ts'

/** An entity as far as its templates care. */
export interface TemplateOwner {
  readonly name: string
  readonly attributes: ReadonlyMap<string, AttributeDescription>
}

/** The template that fills the key attribute `attribute`. Of the set or list `each`, it takes one element. */
export function resolveTemplate(
  owner: TemplateOwner,
  text: string,
  attribute: string,
  each?: string,
): KeyTemplateDescription {
  const parts = parseTemplate(text)
  for (let i = 0; i < parts.length; i++) checkPart(owner, text, parts[i], parts[i + 1], each)
  const own = owner.attributes.get(attribute)
  if (own === undefined || !own.isStored) return { attribute, storedAs: 'S', text, parts, isNative: false }
  if (text !== `{${attribute}}`) {
    throw invalid(
      owner,
      `stores '${text}' in ${attribute}, which is also one of its attributes. Write '{${attribute}}', or rename the key attribute`,
    )
  }
  return nativeTemplate(owner, attribute)
}

/** A key attribute that is an attribute of the entity. */
export function nativeTemplate(owner: TemplateOwner, attribute: string): KeyTemplateDescription {
  const own = owner.attributes.get(attribute)
  if (own === undefined) throw unknownAttribute(owner, attribute, `[${attribute}]`)
  const { storedAs, storedName } = own
  if (storedName !== undefined) {
    throw invalid(
      owner,
      `stores ${attribute} as ${storedName}, but it is a key attribute of its table under its own name. Remove .as()`,
    )
  }
  if (storedAs !== 'S' && storedAs !== 'N' && storedAs !== 'B') {
    throw invalid(
      owner,
      `has ${attribute} as a key, but a key must be a string, a number or binary, not ${own.type}`,
    )
  }
  const parts: KeyPartDescription[] = [{ kind: 'hole', attribute, format: { kind: 'plain' } }]
  return { attribute, storedAs, text: `{${attribute}}`, parts, isNative: true }
}

/** The parts with the names taken out: two keys of one shape can be the same key. */
export function shapeOf(templates: readonly KeyTemplateDescription[]): string {
  return templates.map(({ parts }) => shapeOfParts(parts)).join('+')
}

export function shapeOfParts(parts: readonly KeyPartDescription[]): string {
  return parts.map((part) => (part.kind === 'literal' ? part.text : '{}')).join('')
}

export function holesOf(templates: readonly KeyTemplateDescription[]): readonly string[] {
  return templates.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'hole' ? [part.attribute] : [])))
}

function checkPart(
  owner: TemplateOwner,
  text: string,
  part: KeyPartDescription | undefined,
  next: KeyPartDescription | undefined,
  each: string | undefined,
): void {
  if (part?.kind !== 'hole') return
  const attribute = owner.attributes.get(part.attribute)
  if (attribute === undefined) throw unknownAttribute(owner, part.attribute, text)
  const storedAs = part.attribute === each ? attribute.element?.storedAs : attribute.storedAs
  if (storedAs !== 'S' && storedAs !== 'N' && storedAs !== 'BOOL') {
    throw invalid(
      owner,
      `has {${part.attribute}} in '${text}', but ${attribute.type} cannot be part of a composed key`,
    )
  }
  if (part.format.kind === 'padded' && storedAs !== 'N') {
    throw invalid(owner, `pads {${part.attribute}} in '${text}', which is not a number`)
  }
  if (part.format.kind === 'date' && attribute.type !== 'iso') {
    const what = part.format.isDescending === true ? 'counts down' : `takes the ${part.format.precision} of`
    throw invalid(owner, `${what} {${part.attribute}} in '${text}', which is not an ISO date`)
  }
  if (part.format.kind === 'case' && storedAs !== 'S') {
    throw invalid(owner, `writes {${part.attribute}} in '${text}' in ${part.format.to} case, which is not a string`)
  }
  if (next?.kind === 'hole' && fixedWidthOf(part, attribute) === undefined) {
    throw invalid(
      owner,
      `has {${part.attribute}}{${next.attribute}} next to each other in '${text}', so there is no way to tell where the first one ends. Put a literal between them`,
    )
  }
}

function unknownAttribute(owner: TemplateOwner, attribute: string, text: string): ModelError {
  return new ModelError(
    'UNKNOWN_ATTRIBUTE',
    `${owner.name} has no attribute ${attribute}, but its key '${text}' uses it. Declare the attribute, or correct the template.`,
    { entity: owner.name, attribute },
  )
}

export function invalid(owner: { readonly name: string }, fault: string): ModelError {
  return new ModelError('INVALID_MODEL', `${owner.name} ${fault}.`, { entity: owner.name })
}
