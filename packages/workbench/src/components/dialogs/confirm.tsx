import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { Listeners } from '../../state/listeners.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, TextInput } from '../controls/field.tsx'

export interface ConfirmQuestion {
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly body: ReactNode
  /** The verb on the button, such as "Delete table". */
  readonly action: string
  readonly tone?: 'primary' | 'danger'
  /** Has to be typed first: for what cannot be undone. */
  readonly typeToConfirm?: string
}

interface Pending {
  readonly question: ConfirmQuestion
  readonly answer: (isConfirmed: boolean) => void
}

let pending: Pending | undefined
const listeners = new Listeners()

/** Asks before something is done: `if (await confirm({ … })) …` */
export function confirm(question: ConfirmQuestion): Promise<boolean> {
  pending?.answer(false)
  return new Promise((resolve) => {
    setPending({
      question,
      answer: (isConfirmed) => {
        setPending(undefined)
        resolve(isConfirmed)
      },
    })
  })
}

/** Shows the question that is pending. Stands once in the shell. */
export function ConfirmHost() {
  const current = useSyncExternalStore(listeners.subscribe, () => pending)
  return current === undefined ? null : <Question key={current.question.title} {...current} />
}

function Question({ question, answer }: Pending) {
  const [typed, setTyped] = useState('')
  const { title, body, action, tone = 'primary', typeToConfirm } = question
  const isReady = typeToConfirm === undefined || typed === typeToConfirm
  const finish = (): void => {
    if (isReady) answer(true)
  }
  return (
    <Dialog
      isOpen
      onClose={() => answer(false)}
      title={title}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button tone={tone} disabled={!isReady} onClick={finish}>
            {action}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div>{body}</div>
        {typeToConfirm !== undefined && (
          <Field label={`Type ${typeToConfirm} to confirm`}>
            <TextInput
              value={typed}
              autoFocus
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === 'Enter' && finish()}
            />
          </Field>
        )}
      </div>
    </Dialog>
  )
}

function setPending(next: Pending | undefined): void {
  pending = next
  listeners.notify()
}
