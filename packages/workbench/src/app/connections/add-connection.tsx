import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AwsProfile, ConnectionColour, ConnectionInfo } from '../../answers/connections.ts'
import { addConnection, fetchProfiles, type EnteredConnection } from '../../api/connections.ts'
import { Button } from '../../components/controls/button.tsx'
import { Choice, Field, Select, Switch, TextInput } from '../../components/controls/field.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { ErrorBox } from '../../components/messages/notices.tsx'
import { useAttempt } from '../../components/messages/use-attempt.ts'
import { connectionStyle } from '../../values/connection-colour.ts'

const colours: readonly ConnectionColour[] = [
  'blue',
  'teal',
  'green',
  'amber',
  'orange',
  'red',
  'pink',
  'purple',
  'grey',
]

interface Draft {
  readonly kind: ConnectionInfo['kind']
  readonly name: string
  readonly endpoint: string
  readonly profile: string
  readonly region: string
  readonly accessKeyId: string
  readonly colour: ConnectionColour | undefined
  readonly isReadOnly: boolean | undefined
}

const emptyDraft: Draft = {
  kind: 'aws',
  name: '',
  endpoint: '',
  profile: '',
  region: '',
  accessKeyId: '',
  colour: undefined,
  isReadOnly: undefined,
}

/** Another database to show. Nothing that is entered here is a secret. */
export default function AddConnection({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void
  readonly onAdded: (connection: ConnectionInfo) => void
}) {
  const [draft, setDraft] = useState(emptyDraft)
  const change = (changes: Partial<Draft>): void => setDraft((known) => ({ ...known, ...changes }))
  const client = useQueryClient()
  const { data: profiles = [] } = useQuery({
    queryKey: ['profiles'],
    queryFn: ({ signal }) => fetchProfiles(signal),
  })
  const { attempt, isBusy, error } = useAttempt()
  const { kind, colour = kind === 'aws' ? 'orange' : 'teal', isReadOnly = kind === 'aws' } = draft
  const add = (): void =>
    void attempt(async () => {
      const added = await addConnection(enteredOf(draft, colour, isReadOnly))
      await client.invalidateQueries({ queryKey: ['info'] })
      onClose()
      onAdded(added)
    })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add a connection"
      description="Show another database here. Requests go through this server, with credentials that stay there."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} disabled={!isComplete(draft)} onClick={add}>
            Connect
          </Button>
        </>
      }
    >
      <div className="stack">
        <Choice
          label="Database"
          value={kind}
          options={[
            { value: 'aws', label: 'AWS', hint: 'By a profile of this machine: keys, SSO or a role.' },
            { value: 'server', label: 'A server', hint: 'Another hashrange, or DynamoDB Local.' },
          ]}
          onChange={(next) => change({ kind: next })}
        />
        {kind === 'aws' ? (
          <ProfileField profiles={profiles} value={draft.profile} onChange={(profile) => change({ profile })} />
        ) : (
          <>
            <Field label="Address" hint="Such as http://127.0.0.1:8000.">
              <TextInput
                isMono
                spellCheck={false}
                value={draft.endpoint}
                onChange={(event) => change({ endpoint: event.target.value })}
              />
            </Field>
            <ProfileField
              isOptional
              profiles={profiles}
              value={draft.profile}
              onChange={(profile) => change({ profile })}
            />
            {draft.profile === '' && (
              <Field
                label="Access key ID"
                isOptional
                hint="Whose tables to show, if each key has its own. No secret is needed."
              >
                <TextInput
                  isMono
                  spellCheck={false}
                  placeholder="local"
                  value={draft.accessKeyId}
                  onChange={(event) => change({ accessKeyId: event.target.value })}
                />
              </Field>
            )}
          </>
        )}
        <Field label="Region" isOptional hint={regionHint(draft, profiles)}>
          <TextInput
            isMono
            spellCheck={false}
            value={draft.region}
            onChange={(event) => change({ region: event.target.value })}
          />
        </Field>
        <Field label="Name" hint="Letters, digits, dots and dashes.">
          <TextInput
            placeholder={suggestedName(draft)}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <ColourField value={colour} onChange={(next) => change({ colour: next })} />
        <Switch
          label="Read-only until I allow writing"
          hint="You can then switch on writing at the top, for one tab and for an hour."
          isOn={isReadOnly}
          onChange={(next) => change({ isReadOnly: next })}
        />
        {error !== undefined && <ErrorBox error={error} />}
      </div>
    </Dialog>
  )
}

const sources = { keys: '', role: ' · assumes a role', sso: ' · SSO', process: ' · by a program' } as const

function ProfileField({
  profiles,
  value,
  isOptional = false,
  onChange,
}: {
  readonly profiles: readonly AwsProfile[]
  readonly value: string
  readonly isOptional?: boolean
  readonly onChange: (profile: string) => void
}) {
  return (
    <Field
      label="AWS profile"
      isOptional={isOptional}
      hint={isOptional ? 'For a closed server: whose credentials sign the requests.' : undefined}
    >
      <Select
        value={value}
        options={[
          { value: '', label: isOptional ? 'None' : 'Default credentials' },
          ...profiles.map(({ name, region, how }) => ({
            value: name,
            label: `${name}${region === undefined ? '' : ` · ${region}`}${sources[how]}`,
          })),
        ]}
        onChange={onChange}
      />
    </Field>
  )
}

function ColourField({
  value,
  onChange,
}: {
  readonly value: ConnectionColour
  readonly onChange: (colour: ConnectionColour) => void
}) {
  return (
    <fieldset className="choice">
      <legend className="field-label">Colour</legend>
      <div className="connection-colours">
        {colours.map((colour) => (
          <label key={colour} className="connection-colour" style={connectionStyle(colour)} title={colour}>
            <input
              type="radio"
              name="connection-colour"
              aria-label={colour}
              checked={colour === value}
              onChange={() => onChange(colour)}
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function isComplete(draft: Draft): boolean {
  return (draft.kind === 'aws' || draft.endpoint.trim() !== '') && nameOf(draft) !== ''
}

function nameOf(draft: Draft): string {
  return draft.name.trim() || suggestedName(draft)
}

/** What it would be called if nothing else is typed. */
function suggestedName({ kind, profile, endpoint }: Draft): string {
  if (profile !== '') return profile.replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
  if (kind === 'aws') return 'aws'
  return URL.canParse(endpoint) ? new URL(endpoint).host.replaceAll(/[^A-Za-z0-9_.-]+/g, '-') : ''
}

function regionHint({ kind, profile }: Draft, profiles: readonly AwsProfile[]): string {
  const region = profiles.find(({ name }) => name === profile)?.region
  if (region !== undefined) return `${region} if you leave it empty.`
  return kind === 'aws'
    ? 'The region of the profile, or us-east-1, if you leave it empty.'
    : 'us-east-1 if you leave it empty.'
}

function enteredOf(draft: Draft, colour: ConnectionColour, isReadOnly: boolean): EnteredConnection {
  const { kind, endpoint, profile, region, accessKeyId } = draft
  return {
    name: nameOf(draft),
    ...(kind === 'server' && { endpoint: endpoint.trim() }),
    ...(profile !== '' && { profile }),
    ...(region.trim() !== '' && { region: region.trim() }),
    ...(kind === 'server' && profile === '' && accessKeyId.trim() !== '' && { accessKeyId: accessKeyId.trim() }),
    colour,
    writing: isReadOnly ? 'on-request' : 'allowed',
  }
}
