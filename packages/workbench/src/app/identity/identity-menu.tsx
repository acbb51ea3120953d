import { LogOut, ShieldCheck, UserRound } from '../../icons/icons.generated.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { signOut } from '../../api/session.ts'
import type { SignedInAs } from '../../api-types.ts'
import { useCommands } from '../../commands/commands.ts'
import { Button } from '../../components/controls/button.tsx'
import { Menu } from '../../components/controls/menu.tsx'
import './identity-menu.css'

const WhoAmI = lazy(() => import('./who-am-i.tsx'))

/** Who has signed in, at the end of the bar. An open server has none of this. */
export default function IdentityMenu({ signedIn }: { readonly signedIn: SignedInAs }) {
  const [isOpen, setOpen] = useState(false)
  const commands = useMemo(
    () => [
      { id: 'who-am-i', title: 'Who am I', group: 'Access', run: () => setOpen(true) },
      { id: 'sign-out', title: 'Sign out', group: 'Access', run: () => void leavePage() },
    ],
    [],
  )
  useCommands(commands)
  const name = shortName(signedIn)
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button tone="quiet" icon={<UserRound />} aria-label={`Signed in as ${name}`} className="identity-button">
            <span className="identity-name">{name}</span>
          </Button>
        }
        entries={[
          { label: 'Who am I', icon: <ShieldCheck />, onSelect: () => setOpen(true) },
          'separator',
          { label: 'Sign out', icon: <LogOut />, onSelect: () => void leavePage() },
        ]}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <WhoAmI signedIn={signedIn} onClose={() => setOpen(false)} onSignOut={() => void leavePage()} />
        </Suspense>
      )}
    </>
  )
}

/** Nothing of what was shown stays behind. */
async function leavePage(): Promise<void> {
  await signOut()
  window.location.reload()
}

function shortName(signedIn: SignedInAs): string {
  switch (signedIn.kind) {
    case 'operator':
      return 'operator'
    case 'root':
      return 'root user'
    case 'user':
      return signedIn.name
    case 'role':
      return `${signedIn.name}/${signedIn.sessionName ?? ''}`
  }
}
