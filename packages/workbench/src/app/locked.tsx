import { Dialog } from '@base-ui/react/dialog'
import { KeyRound } from '../icons/icons.generated.ts'
import { lazy, Suspense, useEffect, useState, type FormEvent } from 'react'
import { fetchInfo } from '../api/api.ts'
import { accessToken, enter, isClosed, onToken, useIsLocked } from '../api/access.ts'
import { Button } from '../components/controls/button.tsx'
import { Field, TextInput } from '../components/controls/field.tsx'
import './locked.css'

/** Covers the page while hashrange does not take its token, or nobody has signed in; what is being edited underneath stays. */
export function Locked() {
  const isLocked = useIsLocked()
  // Another token is tried at once.
  useEffect(() => onToken(() => void fetchInfo().catch(() => undefined)), [])
  if (!isLocked) return null
  if (!isClosed) return <LockedPage hadToken={accessToken() !== ''} />
  return (
    <Suspense fallback={<div className="locked" />}>
      <SignIn />
    </Suspense>
  )
}

const SignIn = lazy(() => import('./identity/sign-in.tsx'))

function LockedPage({ hadToken }: { readonly hadToken: boolean }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    enter(text)
    await fetchInfo().then(
      () => undefined,
      (refused: unknown) =>
        setError(
          refused instanceof Error && refused.name === 'Locked'
            ? 'The running hashrange uses another token.'
            : String(refused instanceof Error ? refused.message : refused),
        ),
    )
    setBusy(false)
  }
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Popup className="locked">
          <form className="locked-card" onSubmit={(event) => void submit(event)}>
            <KeyRound className="locked-icon" aria-hidden />
            <Dialog.Title className="locked-title">
              {hadToken ? 'hashrange was restarted' : 'Open the workbench with its full address'}
            </Dialog.Title>
            <p>
              {hadToken
                ? 'Each start creates a new token, and this page has an older one. Open the new address, which hashrange printed when it started:'
                : 'hashrange printed the address when it started. It ends in a secret token, so that nobody else on this machine or network can open the workbench:'}
            </p>
            <p className="locked-example mono">
              {window.location.origin}/_workbench/#token=
              <wbr />…
            </p>
            <Field
              label="Address or token"
              error={error}
              hint="For a container, see docker logs. For a systemd service, see journalctl."
            >
              <TextInput
                isMono
                spellCheck={false}
                value={text}
                onChange={(event) => {
                  setText(event.target.value)
                  setError(undefined)
                }}
              />
            </Field>
            <div className="row">
              <Button tone="primary" type="submit" isBusy={isBusy} disabled={text.trim() === ''}>
                Open
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
