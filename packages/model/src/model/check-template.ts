import type { KeyPartDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { fixedWidthOf } from '../keys/match-key.ts'
import { checkTemplateText } from '../keys/check-template-text.ts'
import { parseTemplate } from '../keys/parse-template.ts'
import type { TemplateOwner } from './resolve-template.ts'

/** That `text` can fill the key attribute `attribute`. Of the set or list `each`, it takes one element. */
export function checkTemplate(owner: TemplateOwner, text: string, attribute: string, each?: string): void {
  checkTemplateText(text)
  const parts = parseTemplate(text)
  for (let i = 0; i < parts.length; i++) checkPart(owner, text, parts[i], parts[i + 1], each)
  if (owner.attributes.get(attribute)?.isStored !== true) return
  if (text !== `{${attribute}}`) {
    throw invalid(
      owner,
      `stores '${text}' in ${attribute}, which is also one of its attributes. Write '{${attribute}}', or rename the key attribute`,
    )
  }
  checkNative(owner, attribute)
}

/** That an attribute can be a key as it is. */
export function checkNative(owner: TemplateOwner, attribute: string): void {
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
