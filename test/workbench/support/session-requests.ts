import { signRequest } from '../../../packages/workbench/src/api/signing/sign-request.ts'

/** What the page sends to sign in and afterwards, without a browser. */
export class SessionRequests {
  readonly #origin: string
  cookie = ''
  proof = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Returns the status and what was answered; a session that began is kept. */
  async signIn(
    accessKeyId: string,
    secretAccessKey: string,
    { sessionToken = '', skewMs = 0 }: { readonly sessionToken?: string; readonly skewMs?: number } = {},
  ): Promise<Answered> {
    const path = '/_workbench/api/session/sign-in'
    const headers = signRequest(
      { accessKeyId, secretAccessKey, sessionToken },
      {
        path,
        body: '{}',
        host: new URL(this.#origin).host,
        service: 'hashrange',
        region: 'us-east-1',
        atMs: Date.now() + skewMs,
      },
    )
    return this.#keep(await this.ask('session/sign-in', {}, headers))
  }

  async signInWithToken(token: string): Promise<Answered> {
    return this.#keep(await this.ask('session/sign-in', { token }))
  }

  async ask(path: string, body: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    const response = await fetch(`${this.#origin}/_workbench/api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: this.#origin,
        ...(this.cookie !== '' && { cookie: this.cookie }),
        ...(this.proof !== '' && { 'x-hashrange-workbench': this.proof }),
        ...headers,
      },
      body: JSON.stringify(body),
    })
    return {
      status: response.status,
      setCookie: response.headers.get('set-cookie') ?? '',
      body: (await response.json()) as Answered['body'],
    }
  }

  #keep(answered: Answered): Answered {
    if (answered.status === 200) {
      this.cookie = answered.setCookie.split(';', 1)[0] ?? ''
      this.proof = String(answered.body['proof'])
    }
    return answered
  }
}

export interface Answered {
  readonly status: number
  readonly setCookie: string
  readonly body: Readonly<Record<string, unknown>>
}
