import { Dialog } from '@base-ui/react/dialog'
import { LogIn } from '../../icons/icons.generated.ts'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { lockReason, takeAddressToken, tokenIn } from '../../api/access.ts'
import { ApiError, fetchInfo } from '../../api/api.ts'
import { queryClient } from '../../api/queries.ts'
import { signInWithKey, signInWithToken } from '../../api/session.ts'
import type { SignedInAs, WorkbenchInfo } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { Choice, Field, TextInput } from '../../components/controls/field.tsx'
import { Notice } from '../../components/messages/notices.tsx'
import './sign-in.css'

type Way = 'key' | 'token'

const ways = [
  { value: 'key', label: 'Access key' },
  { value: 'token', label: 'Token' },
] as const satisfies readonly { readonly value: Way; readonly label: string }[]

/** Covers the page of a closed server until somebody has signed in. */
export default function SignIn() {
  const [way, setWay] = useState<Way>('key')
  const [accessKeyId, setKey] = useState('')
  const [secretAccessKey, setSecret] = useState('')
  const [sessionToken, setSession] = useState('')
  const [token, setToken] = useState('')
  const [error, setError] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const reason = lockReason()

  const attempt = async (signIn: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      const before = queryClient.getQueryData<WorkbenchInfo>(['info'])?.signedIn
      await signIn()
      const { signedIn } = await fetchInfo()
      // What another identity has looked at is not for this one.
      if (before !== undefined && nameOf(before) !== nameOf(signedIn)) window.location.reload()
    } catch (refused) {
      setError(
        refused instanceof ApiError ? refused : new ApiError('Unreachable', 'hashrange is not responding.', 0),
      )
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    const found = takeAddressToken()
    if (found === undefined) return
    setWay('token')
    void attempt(() => signInWithToken(found))
    // Once: the token was taken.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // A secret is used once: it is gone from the page whether it was right or not.
    setSecret('')
    setToken('')
    const typed = { accessKeyId: accessKeyId.trim(), secretAccessKey, sessionToken: sessionToken.trim() }
    void attempt(() => (way === 'key' ? signInWithKey(typed) : signInWithToken(tokenIn(token))))
  }
  const isComplete = way === 'key' ? accessKeyId.trim() !== '' && secretAccessKey !== '' : token.trim() !== ''
  const isAboutKey = error?.name === 'UnknownKey'
  const errorAt = (names: boolean): string | undefined => (names ? error?.message : undefined)

  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Popup className="locked" initialFocus={first}>
          <form className="locked-card" onSubmit={submit}>
            <LogIn className="locked-icon" aria-hidden />
            <Dialog.Title className="locked-title">Sign in to hashrange</Dialog.Title>
            {reason !== undefined && error === undefined && <Notice tone="warning">{reason}</Notice>}
            <Choice label="Sign in with" shape="segments" value={way} options={ways} onChange={setWay} />
            {way === 'key' ? (
              <>
                <Field label="Access key ID" error={errorAt(isAboutKey)}>
                  <TextInput
                    ref={first}
                    isMono
                    name="username"
                    autoComplete="username"
                    spellCheck={false}
                    value={accessKeyId}
                    placeholder="AKIA…"
                    onChange={(event) => setKey(event.target.value)}
                  />
                </Field>
                <Field
                  label="Secret access key"
                  error={errorAt(error !== undefined && !isAboutKey)}
                  hint="It signs one request in this page. It is neither sent nor kept."
                >
                  <TextInput
                    isMono
                    type="password"
                    name="password"
                    autoComplete="current-password"
                    value={secretAccessKey}
                    onChange={(event) => setSecret(event.target.value)}
                  />
                </Field>
                <Field label="Session token" isOptional hint="Only with temporary credentials.">
                  <TextInput
                    isMono
                    spellCheck={false}
                    value={sessionToken}
                    onChange={(event) => setSession(event.target.value)}
                  />
                </Field>
              </>
            ) : (
              <Field
                label="Token"
                error={errorAt(error !== undefined)}
                hint={
                  <>
                    For whoever runs the server: <code>hashrange token</code> prints one. It opens all accounts, and
                    no policy applies.
                  </>
                }
              >
                <TextInput
                  ref={first}
                  isMono
                  type="password"
                  autoComplete="off"
                  value={token}
                  onChange={(event) => setToken(event.target.value)}
                />
              </Field>
            )}
            <Button tone="primary" type="submit" className="sign-in-button" isBusy={isBusy} disabled={!isComplete}>
              Sign in
            </Button>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function nameOf(signedIn: SignedInAs | undefined): string | undefined {
  return signedIn?.kind === 'operator' ? signedIn.kind : signedIn?.arn
}
