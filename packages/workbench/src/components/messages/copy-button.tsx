import { Check, Copy } from '../../icons/icons.generated.ts'
import { useState } from 'react'
import { IconButton } from '../controls/button.tsx'
import { tellError } from './toast.tsx'

/** Puts text on the clipboard; the text may be produced on demand. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string)
  readonly label?: string
}) {
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    }, tellError)
  }
  return <IconButton label={isCopied ? 'Copied' : label} icon={isCopied ? <Check /> : <Copy />} onClick={copy} />
}
