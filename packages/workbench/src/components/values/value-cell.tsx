import { typeOf } from '@hashrange/core'
import { memo } from 'react'
import type { AttributeValue } from '../../api-types.ts'
import { previewOf } from '../../values/preview.ts'
import './value-cell.css'

/** A DynamoDB value in one line, in the colour of its type. Text is only ever text. */
export const ValueCell = memo(function ValueCell({ value }: { readonly value: AttributeValue }) {
  const type = typeOf(value)
  if ('S' in value && value.S === '') return <span className="value-empty">empty</span>
  return (
    <span className={`value value-${type.toLowerCase()}`} dir={type === 'S' ? 'auto' : undefined}>
      {previewOf(value)}
    </span>
  )
})

/** DynamoDB's letter for a type, in its colour. */
export function TypeTag({ type }: { readonly type: string }) {
  return <span className={`type-tag value-${type.toLowerCase()}`}>{type}</span>
}
