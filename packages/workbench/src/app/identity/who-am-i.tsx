import { LogOut } from '../../icons/icons.generated.ts'
import type { ReactNode } from 'react'
import type { SignedInAs, SignedInIdentity } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { ErrorBox, Notice, Skeleton } from '../../components/messages/notices.tsx'
import { Facts } from '../../components/page/page.tsx'
import { usePolicyHolders, type PolicyHolder } from './use-policy-holders.ts'
import './who-am-i.css'

/** Whoever has signed in: their names, and the policies that apply to them. */
export default function WhoAmI({
  signedIn,
  onClose,
  onSignOut,
}: {
  readonly signedIn: SignedInAs
  readonly onClose: () => void
  readonly onSignOut: () => void
}) {
  return (
    <Dialog
      isOpen
      shape="drawer"
      title="Who am I"
      onClose={onClose}
      actions={
        <Button icon={<LogOut />} onClick={onSignOut}>
          Sign out
        </Button>
      }
    >
      <div className="stack">
        <Facts facts={[...factsOf(signedIn), ['Session ends', endOf(signedIn)]]} />
        {signedIn.kind !== 'operator' && (
          <Facts
            facts={[
              [
                'ARN',
                <code key="arn" className="who-arn">
                  {signedIn.arn}
                </code>,
              ],
            ]}
          />
        )}
        {signedIn.kind === 'operator' ? (
          <Notice>
            You signed in with a token, as the operator of this server. You see all accounts, and no policy applies
            to you.
          </Notice>
        ) : signedIn.kind === 'root' ? (
          <Notice>This is the root user of the account. It may do everything in it, whatever policies say.</Notice>
        ) : (
          <Policies signedIn={signedIn} />
        )}
      </div>
    </Dialog>
  )
}

const kinds = { root: 'root user', user: 'IAM user', role: 'assumed role' } as const

function factsOf(signedIn: SignedInAs): readonly (readonly [string, ReactNode])[] {
  if (signedIn.kind === 'operator') return [['Signed in as', 'operator of the server']]
  const { kind, accountId, name, sessionName, accessKeyId } = signedIn
  return [
    ['Signed in as', name === '' ? kinds[kind] : `${kinds[kind]} ${name}`],
    ...(sessionName === undefined ? [] : [['Session name', sessionName] as const]),
    ['Account', <code key="account">{accountId}</code>],
    ['Access key', <code key="key">{accessKeyId}</code>],
  ]
}

function endOf(signedIn: SignedInAs): string {
  const time = new Date(signedIn.endsAtMs).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return signedIn.kind !== 'operator' && signedIn.isTemporary ? `${time}, with the credentials` : time
}

function Policies({ signedIn }: { readonly signedIn: SignedInIdentity }) {
  const { holders, boundary, error, isLoading } = usePolicyHolders(signedIn)
  if (isLoading) return <Skeleton lines={4} />
  return (
    <>
      {holders.map((holder) => (
        <Holder key={`${holder.kind} ${holder.name}`} holder={holder} />
      ))}
      {boundary !== undefined && (
        <section>
          <h3 className="who-heading">Permissions boundary</h3>
          <p>
            <code className="who-arn">{boundary}</code>
          </p>
        </section>
      )}
      {error !== undefined && <ErrorBox error={error} />}
      {error !== undefined && (
        <p className="muted">
          What applies to you is shown if you may read it through IAM. Your policies apply in any case.
        </p>
      )}
    </>
  )
}

function Holder({ holder: { kind, name, attached, inline } }: { readonly holder: PolicyHolder }) {
  return (
    <section>
      <h3 className="who-heading">
        Policies of the {kind} {name}
      </h3>
      {attached.length + inline.length === 0 ? (
        <p className="muted">None.</p>
      ) : (
        <ul className="who-policies">
          {attached.map(({ PolicyName, PolicyArn }) => (
            <li key={PolicyArn}>
              <code>{PolicyName}</code>{' '}
              <span className="muted">{PolicyArn.includes('::aws:') ? 'AWS managed' : 'managed'}</span>
            </li>
          ))}
          {inline.map((policy) => (
            <li key={policy}>
              <code>{policy}</code> <span className="muted">inline</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
