import { useEffect, useRef, useState } from 'react'
import { TextInput } from '../../../components/controls/field.tsx'

/** How long nothing must be typed before a text is taken over. */
const restMs = 700

/** A text that becomes part of the file when it is finished: with Enter, when the field is left, or, unless it is a name that
 *  others refer to, a moment after the last key. */
export function EditInput({
  value,
  onCommit,
  label,
  isName = false,
  isNumber = false,
  isMono = true,
  check,
  ...rest
}: {
  readonly value: string
  readonly onCommit: (value: string) => void
  /** For those who cannot see the column that it stands in. */
  readonly label?: string
  readonly isName?: boolean
  readonly isNumber?: boolean
  readonly isMono?: boolean
  /** What is wrong with a text, which is then not taken over. */
  readonly check?: (text: string) => string | undefined
  readonly placeholder?: string
  readonly disabled?: boolean
}) {
  const [typed, setTyped] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const problem = typed === undefined || typed === value ? undefined : check?.(typed)
  const commit = (text: string | undefined): void => {
    clearTimeout(timer.current)
    if (text === undefined || text === value || check?.(text) !== undefined) return
    onCommit(text)
  }
  return (
    <TextInput
      {...rest}
      {...(label !== undefined && { 'aria-label': label })}
      {...(problem !== undefined && { 'aria-invalid': true, title: problem })}
      isMono={isMono}
      inputMode={isNumber ? 'decimal' : undefined}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value)
        clearTimeout(timer.current)
        if (!isName) timer.current = setTimeout(() => commit(target.value), restMs)
      }}
      onBlur={() => {
        commit(typed)
        setTyped(undefined)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(typed)
        if (event.key === 'Escape') {
          clearTimeout(timer.current)
          setTyped(undefined)
        }
      }}
    />
  )
}

/** A number, or nothing. */
export function NumberEdit({
  value,
  onCommit,
  ...rest
}: {
  readonly value: number | undefined
  readonly onCommit: (value: number | undefined) => void
  readonly label?: string
  readonly placeholder?: string
}) {
  return (
    <EditInput
      {...rest}
      isNumber
      value={value === undefined ? '' : String(value)}
      check={(text) => (/^\d*\.?\d*$/.test(text.trim()) && text.trim() !== '.' ? undefined : 'Enter a number.')}
      onCommit={(text) => onCommit(text.trim() === '' ? undefined : Number(text))}
    />
  )
}
