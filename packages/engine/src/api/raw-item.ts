/** An attribute value whose JSON types have been checked, and nothing else: it may have no member or several, its
 *  number may be no number. Only the functions that read values in core look into it. */
export interface RawAttributeValue {
  readonly S?: string
  readonly N?: string
  readonly B?: string
  readonly SS?: readonly string[]
  readonly NS?: readonly string[]
  readonly BS?: readonly string[]
  readonly M?: RawItem
  readonly L?: readonly RawAttributeValue[]
  readonly BOOL?: boolean
  readonly NULL?: boolean
}

export type RawItem = Readonly<Record<string, RawAttributeValue>>
