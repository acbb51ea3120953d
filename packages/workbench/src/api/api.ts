import { accessAnswered, accessToken, isAccessLocked, isClosed } from './access.ts'
import { connectionAnswered } from './connection.ts'
import { hintFor } from './hints.ts'
import { writingGrant } from './writing.ts'
import type { Scope, WorkbenchInfo } from '../api-types.ts'

const base = '/_workbench/api'
const lockedText = isClosed
  ? 'Sign in to use the workbench.'
  : 'Open the workbench at the address that hashrange printed when it started.'

/** What went wrong, in the service's own words, with what to do about it. */
export class ApiError extends Error {
  /** The exception's name, such as `ResourceNotFoundException`. */
  override readonly name: string
  readonly hint: string | undefined
  readonly status: number
  /** The other members of the service's error, such as `Item` and `CancellationReasons`. */
  readonly members: Readonly<Record<string, unknown>>
  /** What was asked for, of operations of the service. */
  readonly asked: AskedOperation | undefined

  constructor(
    name: string,
    message: string,
    status: number,
    members: Readonly<Record<string, unknown>> = {},
    asked?: AskedOperation,
  ) {
    super(message)
    this.name = name
    this.status = status
    this.hint = hintFor(name, message)
    this.members = members
    this.asked = asked
  }
}

/** An operation of the service with its input. */
export interface AskedOperation {
  readonly operation: string
  readonly input: object
}

/** Carries out an operation of the service in one scope. */
export type Call = <Output = Record<string, unknown>>(
  operation: string,
  input: object,
  signal?: AbortSignal,
) => Promise<Output>

/** Carries out one operation of DynamoDB's API in a scope. Input and answer have the form of DynamoDB's JSON. */
export async function call<Output = Record<string, unknown>>(
  scope: Scope,
  operation: string,
  input: object,
  signal?: AbortSignal,
): Promise<Output> {
  try {
    return await ask(`dynamodb/${operation}?${scopeQuery(scope)}`, input, signal)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { name, message, status, members } = error
    throw new ApiError(name, message, status, members, { operation, input })
  }
}

/** How requests name the scope that they are about. */
export function scopeQuery({ accountId, region, connection }: Scope): string {
  if (connection === undefined) return new URLSearchParams({ account: accountId, region }).toString()
  const writing = writingGrant(connection)
  return new URLSearchParams({ connection, region, ...(writing !== undefined && { writing }) }).toString()
}

/** Asks one of the workbench's own handlers (packages/hashrange/src/workbench/api-handlers.ts). */
export async function ask<Output>(path: string, body: object = {}, signal?: AbortSignal): Promise<Output> {
  const token = accessToken()
  // The first request shows whether the token is accepted; until then nothing else needs to fail.
  if (token === '' || (isAccessLocked() && path !== 'info')) throw new ApiError('Locked', lockedText, 401)
  let response: Response
  try {
    response = await fetch(`${base}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hashrange-workbench': token },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    connectionAnswered(false)
    throw new ApiError('Unreachable', 'hashrange is not responding.', 0)
  }
  connectionAnswered(true)
  const text = await response.text()
  const error = response.ok ? undefined : errorOf(response.status, text)
  accessAnswered(token, response.status !== 401, error?.message)
  if (error === undefined) return parseJson(text) as Output
  throw error
}

export function fetchInfo(signal?: AbortSignal): Promise<WorkbenchInfo> {
  return ask('info', {}, signal)
}

/** Whether asking again is in vain, until policies change. */
export function isDenied(error: unknown): boolean {
  return error instanceof ApiError && error.name === 'AccessDeniedException'
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** The error that an answer stands for. */
export function errorOf(status: number, text: string): ApiError {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return new ApiError('Unexpected', text.slice(0, 300) || `The response status was ${status}.`, status)
  }
  const { __type: type, message, Message, ...members } = parsed as Record<string, unknown>
  const name = typeof type === 'string' ? type.replace(/^.*#/, '') : 'Unexpected'
  const words = message ?? Message
  return new ApiError(name, typeof words === 'string' && words !== '' ? words : name, status, members)
}

function parseJson(text: string): unknown {
  return text === '' ? {} : JSON.parse(text)
}
