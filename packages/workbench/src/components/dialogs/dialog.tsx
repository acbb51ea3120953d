import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from '../../icons/icons.generated.ts'
import { useRef, type ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import './dialog.css'

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  /** `drawer` comes in from the right and leaves the view beside it to be seen. */
  readonly shape?: 'dialog' | 'wide' | 'drawer'
  readonly children: ReactNode
  /** Whether it is only read: then the keyboard can reach it, to scroll it. */
  readonly isText?: boolean
  /** Buttons, at the right of the foot. */
  readonly actions?: ReactNode
}

/** A modal dialog: it takes the focus, gives it back, and closes with Escape. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  shape = 'dialog',
  children,
  isText = false,
  actions,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  // The first field; if there is none, the dialog itself, so that its text is read first.
  const firstControl = (): HTMLElement | null =>
    popup.current?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):not(:disabled)') ??
    popup.current
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup ref={popup} className={`dialog dialog-${shape}`} initialFocus={firstControl}>
          <header className="dialog-head">
            <div className="grow">
              <Base.Title className="dialog-title">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className="dialog-description">{description}</Base.Description>
              )}
            </div>
            <Button tone="quiet" className="icon-button" aria-label="Close" icon={<X />} onClick={onClose} />
          </header>
          <div className="dialog-body" {...(isText && { tabIndex: 0, role: 'region', 'aria-label': title })}>
            {children}
          </div>
          {actions !== undefined && <footer className="dialog-foot">{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
