import { Play, Square } from '../../../icons/icons.generated.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Keys } from '../../../components/controls/keys.tsx'

export interface RunButtonProps {
  readonly isRunning: boolean
  readonly onRun: () => void
  readonly onCancel: (() => void) | undefined
  readonly className?: string
}

/** One button, which keeps the focus while it changes what it does. */
export function RunButton({ isRunning, onRun, onCancel, className }: RunButtonProps) {
  return (
    <Button
      tone={isRunning ? 'plain' : 'primary'}
      icon={isRunning ? <Square /> : <Play />}
      className={className}
      onClick={isRunning ? onCancel : onRun}
    >
      {isRunning ? 'Cancel' : 'Run'}
      {!isRunning && <Keys keys="Mod+Enter" />}
    </Button>
  )
}
