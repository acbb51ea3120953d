import { useState } from 'react'
import { Button } from '../../../components/controls/button.tsx'
import { TextArea } from '../../../components/controls/field.tsx'
import { formatBytes } from '../../../values/format.ts'
import { escapeText, needsEscapes, unescapeText } from './text-escape.ts'

export interface TextBoxProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly isMono?: boolean
  readonly isLocked?: boolean
  readonly isInvalid?: boolean
  readonly isFocused?: boolean
  readonly placeholder?: string | undefined
}

/** Longer text is not put into a box until requested. */
const longText = 10_000

/** A text of any length and content. What a box would change is edited with escapes. */
export function TextBox({
  label,
  text,
  onChange,
  isMono = false,
  isLocked = false,
  isInvalid = false,
  isFocused = false,
  placeholder,
}: TextBoxProps) {
  const [isWanted, setWanted] = useState(false)
  // Once escaped, always: the box must not change its rules while one types.
  const [isEscaped] = useState(() => needsEscapes(text))
  // As typed: an escape that is not finished yet stays as it is.
  const [typed, setTyped] = useState(() => escapeText(text))
  const shown = unescapeText(typed) === text ? typed : escapeText(text)
  if (text.length > longText && !isWanted) {
    return (
      <span className="item-form-long">
        <span className="truncate" dir="auto">
          {text.slice(0, 80)}
        </span>
        <span className="muted">{formatBytes(text.length)}</span>
        {!isLocked && (
          <Button aria-label={`Edit ${label}`} onClick={() => setWanted(true)}>
            Edit
          </Button>
        )}
      </span>
    )
  }
  return (
    <>
      <TextArea
        className={`item-form-text ${isMono || isEscaped ? 'mono' : ''}`}
        rows={1}
        dir="auto"
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        value={isEscaped ? shown : text}
        disabled={isLocked}
        autoFocus={isFocused}
        placeholder={placeholder}
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(isEscaped ? unescapeText(event.target.value) : event.target.value)
        }}
      />
      {isEscaped && (
        <span className="item-form-note">
          Contains invisible characters, which are shown as <code>\r</code>, <code>\n</code>, <code>\u0000</code>, a
          backslash as <code>\\</code>.
        </span>
      )}
    </>
  )
}
