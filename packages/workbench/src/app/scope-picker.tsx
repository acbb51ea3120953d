import { Globe } from '../icons/icons.generated.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { ask } from '../api/api.ts'
import type { ConnectionInfo } from '../answers/connections.ts'
import { removeConnection } from '../api/connections.ts'
import { useConnection, useInfo } from '../api/queries.ts'
import type { Scope, ScopeInfo, WorkbenchInfo } from '../api-types.ts'
import { Button } from '../components/controls/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { Field, TextInput } from '../components/controls/field.tsx'
import { Picker } from '../components/controls/picker.tsx'
import { tellError } from '../components/messages/toast.tsx'
import { ConnectionIcon, connectionEntries } from './connections/places.tsx'
import { isSameScope, scopeText, useScope } from '../state/scope.tsx'
import { plural } from '../values/format.ts'

const AddConnection = lazy(() => import('./connections/add-connection.tsx'))

/** Whose tables are shown, and of which database. Without `--shared` every access key has its own, in each region. */
export function ScopePicker({ info: first }: { readonly info: WorkbenchInfo }) {
  const info = useInfo() ?? first
  const scope = useScope()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const remove = async (name: string): Promise<void> => {
    await removeConnection(name)
    await client.invalidateQueries({ queryKey: ['info'] })
  }
  const choose = (next: Scope): void => navigate(`/tables?scope=${encodeURIComponent(scopeText(next))}`)
  const connection = useConnection()
  const [isAdding, setAdding] = useState(false)
  const chooseConnection = ({ name, region }: ConnectionInfo): void =>
    choose({ accountId: '', region, connection: name })
  // What was added is shown as soon as the page knows of it: before that, its address would be nowhere.
  const [added, setAdded] = useState<string>()
  const arrived = info.connections.find(({ name }) => name === added)
  useEffect(() => {
    if (arrived === undefined) return
    setAdded(undefined)
    chooseConnection(arrived)
  })
  const known = info.scopes.find((entry) => isSameScope(entry, scope))
  const empty = isSameScope(info.defaultScope, scope)
    ? info.defaultScope
    : { ...scope, tables: 0, accessKeyId: null }
  const scopes = known === undefined && connection === undefined ? [empty, ...info.scopes] : info.scopes
  const own = !info.hasDatabase ? [] : scopes.length === 0 ? [info.defaultScope] : scopes
  // Headings are for those who have something to tell apart.
  const group = info.connections.length > 0 ? 'This server' : undefined
  return (
    <>
      <Picker
        label={connection === undefined ? 'Scope: account and region' : 'Scope: connection and region'}
        placeholder="Find an account, region or connection"
        icon={connection === undefined ? <Globe aria-hidden /> : <ConnectionIcon kind={connection.kind} />}
        empty="There is no such account, region or connection."
        entries={[
          ...own.map((entry) => ({
            id: scopeText(entry),
            label: scopeName(entry, info),
            group,
            detail: plural(entry.tables, 'table'),
            keywords: `${entry.accountId} ${entry.region}`,
            isChosen: isSameScope(entry, scope),
            onSelect: () => choose(entry),
          })),
          ...(connection === undefined && info.hasDatabase
            ? [
                {
                  id: 'other',
                  label: info.signedIn === undefined ? 'Another access key or region …' : 'Another region …',
                  group,
                  keywords: 'other',
                  onSelect: () => setAsking(true),
                },
              ]
            : []),
          ...connectionEntries(info.connections, connection?.name, chooseConnection),
          ...(connection === undefined
            ? []
            : [
                {
                  id: 'other-region',
                  label: `Another region of ${connection.name} …`,
                  group: 'Connections',
                  onSelect: () => setAsking(true),
                },
              ]),
          ...(connection === undefined || connection.isDeclared
            ? []
            : [
                {
                  id: 'remove-connection',
                  label: `Remove ${connection.name}`,
                  group: 'Connections',
                  onSelect: () => void remove(connection.name).catch(tellError),
                },
              ]),
          ...(info.whyNoConnections === undefined
            ? [
                {
                  id: 'add-connection',
                  label: 'Add a connection …',
                  group: info.connections.length > 0 ? 'Connections' : undefined,
                  keywords: 'aws profile dynamodb local server endpoint',
                  onSelect: () => setAdding(true),
                },
              ]
            : []),
        ]}
        value={
          connection !== undefined
            ? `${connection.name} · ${scope.region}`
            : info.hasDatabase
              ? scopeName(known ?? empty, info)
              : 'No connection'
        }
      />
      {isAdding && (
        <Suspense fallback={null}>
          <AddConnection onClose={() => setAdding(false)} onAdded={({ name }) => setAdded(name)} />
        </Suspense>
      )}
      {isAsking && connection !== undefined && (
        <OtherRegion scope={scope} isOperator={false} onClose={() => setAsking(false)} onChoose={choose} />
      )}
      {isAsking && connection === undefined && info.signedIn === undefined && (
        <OtherScope info={info} onClose={() => setAsking(false)} onChoose={choose} />
      )}
      {isAsking && connection === undefined && info.signedIn !== undefined && (
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
  const isValid =
    (scope.connection !== undefined || /^\d{12}$/.test(accountId)) && /^[A-Za-z0-9_-]{1,64}$/.test(region)
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
              onChoose({ ...scope, accountId, region })
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
