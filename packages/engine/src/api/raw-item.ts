/** An attribute value of which only the JSON types have been checked: it may have no member or several, and its
 *  number may be invalid. Only the functions in core that read values look into it. */
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
