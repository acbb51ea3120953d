import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'
import './button.css'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly icon?: ReactNode
  /** Shows that its work is under way; it cannot be pressed meanwhile. */
  readonly isBusy?: boolean
}

export function Button({
  tone = 'plain',
  icon,
  isBusy = false,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`button button-${tone} ${className ?? ''}`}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? <span className="spinner" aria-hidden /> : icon}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children'> {
  /** What it does, for those who cannot see it and for the tooltip. */
  readonly label: string
  readonly icon: ReactNode
  readonly shortcut?: string
}

export function IconButton({ label, icon, shortcut, className, tone = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <Button tone={tone} aria-label={label} icon={icon} className={`icon-button ${className ?? ''}`} {...rest} />
    </Tooltip>
  )
}
