import { Pause, Play } from '../../../icons/icons.generated.ts'
import { useMemo, useState } from 'react'
import { useCommands } from '../../../commands/commands.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Tooltip } from '../../../components/controls/tooltip.tsx'

export interface Live {
  readonly isPaused: boolean
  readonly toggle: () => void
}

/** Whether the view keeps itself up to date; `P` or the button stop it to look closely. */
export function useLive(): Live {
  const [isPaused, setPaused] = useState(false)
  const live = useMemo(() => ({ isPaused, toggle: () => setPaused((paused) => !paused) }), [isPaused])
  useCommands(
    useMemo(
      () => [
        {
          id: 'live',
          title: isPaused ? 'Resume the live view' : 'Pause the live view',
          group: 'Heat',
          shortcut: 'P',
          run: live.toggle,
        },
      ],
      [isPaused, live],
    ),
  )
  return live
}

export function LiveSwitch({ live: { isPaused, toggle } }: { readonly live: Live }) {
  return (
    <Tooltip text={isPaused ? 'Resume live updates' : 'Pause live updates'} shortcut="P">
      <Button icon={isPaused ? <Play /> : <Pause />} aria-pressed={isPaused} onClick={toggle}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </Tooltip>
  )
}
