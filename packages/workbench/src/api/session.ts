import { accessToken, enter, leave } from './access.ts'
import { errorOf } from './api.ts'

// Signing in to a closed server. The secret access key signs one request, here in the page, and is forgotten: neither it nor anything that it could be made out from is sent or kept.

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken: string
}

const signInPath = '/_workbench/api/session/sign-in'

export async function signInWithKey(credentials: Credentials): Promise<void> {
  const { signRequest } = await import('./signing/sign-request.ts')
  const body = '{}'
  const headers = signRequest(credentials, {
    path: signInPath,
    body,
    host: window.location.host,
    service: 'hashrange',
    region: 'us-east-1',
    atMs: Date.now(),
  })
  await begin(body, headers)
}

export function signInWithToken(token: string): Promise<void> {
  return begin(JSON.stringify({ token }), {})
}

export async function signOut(): Promise<void> {
  await send('/_workbench/api/session/sign-out', '{}', {}).catch(() => undefined)
  leave()
}

async function begin(body: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { proof } = JSON.parse(await send(signInPath, body, headers)) as { readonly proof: string }
  enter(proof)
}

async function send(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const former = accessToken()
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(former !== '' && { 'x-hashrange-workbench': former }),
      ...headers,
    },
    body,
  })
  const text = await response.text()
  if (!response.ok) throw errorOf(response.status, text)
  return text
}
