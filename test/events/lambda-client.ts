/** A client of Lambda's API, with nothing but what is needed to see the answer as it is. */
export class LambdaClient {
  readonly #endpoint: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(endpoint: string, headers: Readonly<Record<string, string>> = {}) {
    this.#endpoint = endpoint
    this.#headers = headers
  }

  async send(
    method: string,
    path: string,
    body?: object | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<LambdaAnswer> {
    const response = await fetch(`${this.#endpoint}${path}`, {
      method,
      headers: {
        'X-Amz-Date': '20260101T000000Z',
        Authorization:
          'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0',
        ...this.#headers,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  invoke(
    name: string,
    event: object | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<LambdaAnswer> {
    return this.send('POST', `/2015-03-31/functions/${name}/invocations`, event, headers)
  }
}

export interface LambdaAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of an object; of anything else, nothing. */
  readonly json: Readonly<Record<string, unknown>>
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
