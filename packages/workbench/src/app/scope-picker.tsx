import { Globe } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ask } from '../api/api.ts'
import { useInfo } from '../api/queries.ts'
import type { Scope, ScopeInfo, WorkbenchInfo } from '../api-types.ts'
import { Button } from '../components/controls/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { Field, TextInput } from '../components/controls/field.tsx'
import { Picker } from '../components/controls/picker.tsx'
import { tellError } from '../components/messages/toast.tsx'
import { isSameScope, scopeText, useScope } from '../state/scope.tsx'
import { plural } from '../values/format.ts'

/** Whose tables are shown. Without `--shared` every access key has its own, in each region. */
export function ScopePicker({ info: first }: { readonly info: WorkbenchInfo }) {
  const info = useInfo() ?? first
  const scope = useScope()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const choose = (next: Scope): void => navigate(`/tables?scope=${encodeURIComponent(scopeText(next))}`)
  const known = info.scopes.find((entry) => isSameScope(entry, scope))
  const empty = isSameScope(info.defaultScope, scope)
    ? info.defaultScope
    : { ...scope, tables: 0, accessKeyId: null }
  const scopes = known === undefined ? [empty, ...info.scopes] : info.scopes
  return (
    <>
      <Picker
        label="Scope: account and region"
        placeholder="Find an account or region"
        icon={<Globe aria-hidden />}
        empty="No such account or region has tables."
        entries={[
          ...scopes.map((entry) => ({
            id: scopeText(entry),
            label: scopeName(entry, info),
            detail: plural(entry.tables, 'table'),
            keywords: `${entry.accountId} ${entry.region}`,
            isChosen: isSameScope(entry, scope),
            onSelect: () => choose(entry),
          })),
          {
            id: 'other',
            label: info.signedIn === undefined ? 'Another access key or region …' : 'Another region …',
            keywords: 'other',
            onSelect: () => setAsking(true),
          },
        ]}
        value={scopeName(known ?? empty, info)}
      />
      {isAsking && info.signedIn === undefined && (
        <OtherScope info={info} onClose={() => setAsking(false)} onChoose={choose} />
      )}
      {isAsking && info.signedIn !== undefined && (
        <OtherRegion
          scope={scope}
          isOperator={info.signedIn.kind === 'operator'}
          onClose={() => setAsking(false)}
          onChoose={choose}
        />
      )}
    </>
  )
}

function scopeName(scope: ScopeInfo, info: WorkbenchInfo): string {
  if (info.shared !== false && info.scopes.every(({ accountId }) => accountId === scope.accountId))
    return scope.region
  return `${scope.accessKeyId === null ? scope.accountId : `key ${scope.accessKeyId}`} · ${scope.region}`
}

function OtherScope({
  info,
  onClose,
  onChoose,
}: {
  readonly info: WorkbenchInfo
  readonly onClose: () => void
  readonly onChoose: (scope: Scope) => void
}) {
  const [accessKeyId, setKey] = useState('local')
  const [region, setRegion] = useState('us-east-1')
  const finish = (): void => {
    ask<Scope>('scope-of-key', { accessKeyId, region }).then((scope) => {
      onClose()
      onChoose(scope)
    }, tellError)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Another access key or region"
      description={sharingTexts[`${info.shared}`]}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={finish}>
            Show tables
          </Button>
        </>
      }
    >
      <div className="stack">
        <Field label="Access key" hint="The access key ID that your application uses.">
          <TextInput isMono value={accessKeyId} onChange={(event) => setKey(event.target.value)} />
        </Field>
        <Field label="Region">
          <TextInput isMono value={region} onChange={(event) => setRegion(event.target.value)} />
        </Field>
      </div>
    </Dialog>
  )
}

const sharingTexts = {
  true: 'All access keys and regions share the same tables here.',
  keys: 'All access keys share the same tables here. Each region has its own.',
  false: 'Each access key has its own tables in each region, as each account has on AWS.',
}

/** On a closed server: the account is that of whoever has signed in, but for the operator, who sees all. */
function OtherRegion({
  scope,
  isOperator,
  onClose,
  onChoose,
}: {
  readonly scope: Scope
  readonly isOperator: boolean
  readonly onClose: () => void
  readonly onChoose: (scope: Scope) => void
}) {
  const [accountId, setAccount] = useState(scope.accountId)
  const [region, setRegion] = useState(scope.region)
  const isValid = /^\d{12}$/.test(accountId) && /^[A-Za-z0-9_-]{1,64}$/.test(region)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Another region"
      description="Each region has its own tables, as on AWS."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={!isValid}
            onClick={() => {
              onClose()
              onChoose({ accountId, region })
            }}
          >
            Show tables
          </Button>
        </>
      }
    >
      <div className="stack">
        {isOperator && (
          <Field label="Account" hint="12 digits.">
            <TextInput isMono value={accountId} onChange={(event) => setAccount(event.target.value)} />
          </Field>
        )}
        <Field label="Region">
          <TextInput isMono value={region} onChange={(event) => setRegion(event.target.value)} />
        </Field>
      </div>
    </Dialog>
  )
}
