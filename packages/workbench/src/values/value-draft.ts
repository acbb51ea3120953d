import { readAttributeValue, typeOf, type AttributeType, type AttributeValue } from '@hashrange/core'

/** One value while it is typed. */
export interface ValueDraft {
  readonly type: AttributeType
  /** A string, number or binary as it is, `true` or `false`; lists, maps and sets as the JSON that DynamoDB JSON has inside. */
  readonly text: string
}

export function draftOfValue(value: AttributeValue): ValueDraft {
  const type = typeOf(value)
  if ('S' in value) return { type, text: value.S }
  if ('N' in value) return { type, text: value.N }
  if ('B' in value) return { type, text: value.B }
  if ('BOOL' in value) return { type, text: String(value.BOOL) }
  if ('NULL' in value) return { type, text: '' }
  return { type, text: JSON.stringify(Object.values(value)[0]) }
}

export type DraftValue =
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | { readonly kind: 'problem'; readonly message: string }

/** The value that was typed, or why it is none, in the service's words where it has them. */
export function valueOfDraft({ type, text }: ValueDraft): DraftValue {
  try {
    return { kind: 'value', value: readAttributeValue({ [type]: contentOf(type, text) }) }
  } catch (error) {
    return { kind: 'problem', message: error instanceof Error ? error.message : String(error) }
  }
}

function contentOf(type: AttributeType, text: string): unknown {
  switch (type) {
    case 'S':
      return text
    case 'N':
    case 'B':
      return text.trim()
    case 'BOOL':
      return text === 'true'
    case 'NULL':
      return true
    case 'L':
    case 'M':
    case 'SS':
    case 'NS':
    case 'BS':
      return JSON.parse(text) as unknown
  }
}

/** What a draft of another type begins with. */
export function withDraftType({ text }: ValueDraft, type: AttributeType): ValueDraft {
  if (type === 'BOOL') return { type, text: text === 'true' ? 'true' : 'false' }
  if (type === 'NULL') return { type, text: '' }
  if (type === 'L' || type === 'SS' || type === 'NS' || type === 'BS')
    return { type, text: text.startsWith('[') ? text : '[]' }
  if (type === 'M') return { type, text: text.startsWith('{') ? text : '{}' }
  return { type, text }
}
