import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Keys } from './keys.tsx'
import './tooltip.css'

export interface TooltipProps {
  readonly text: string
  readonly shortcut?: string | undefined
  /** The one element that it explains. */
  readonly children: ReactElement<Record<string, unknown>>
}

export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="tooltip-positioner">
          <Base.Popup className="tooltip">
            {text}
            {shortcut !== undefined && <Keys keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export const TooltipProvider = Base.Provider
