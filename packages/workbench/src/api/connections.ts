import type { AwsProfile, ConnectionColour, ConnectionInfo } from '../answers/connections.ts'
import { ask } from './api.ts'
import { setWritingGrant, writingGrant } from './writing.ts'

/** What is entered to add a connection. */
export interface EnteredConnection {
  readonly name: string
  readonly endpoint?: string | undefined
  readonly profile?: string | undefined
  readonly region?: string | undefined
  readonly accessKeyId?: string | undefined
  readonly colour?: ConnectionColour | undefined
  readonly writing?: ConnectionInfo['writing'] | undefined
}

export function addConnection(entered: EnteredConnection): Promise<ConnectionInfo> {
  return ask('connections/add', entered)
}

export function removeConnection(name: string): Promise<void> {
  return ask('connections/remove', { name })
}

export async function fetchProfiles(signal: AbortSignal): Promise<readonly AwsProfile[]> {
  return (await ask<{ profiles: readonly AwsProfile[] }>('connections/profiles', {}, signal)).profiles
}

/** Lets this tab write to a connection. */
export async function beginWriting(name: string): Promise<void> {
  const { writing } = await ask<{ writing: string }>('connections/begin-writing', { name })
  setWritingGrant(name, writing)
}

export async function endWriting(name: string): Promise<void> {
  const writing = writingGrant(name)
  setWritingGrant(name, undefined)
  if (writing !== undefined) await ask('connections/end-writing', { writing })
}
