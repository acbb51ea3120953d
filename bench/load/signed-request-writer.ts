import { bodyText, type RequestTemplate } from '../workload/request-template.ts'
import { signedRequest, type Credentials } from './sign-request.ts'

const differentRequests = 1_000

/** Requests that are really signed. Signing one costs more than answering it, and so a thousand different ones are made before a round and sent in turn: a server
 *  that verifies them has to verify each. */
export class SignedRequests {
  readonly #requests: readonly Buffer[]
  #next = 0

  constructor(template: RequestTemplate, port: number, credentials: Credentials) {
    this.#requests = Array.from({ length: differentRequests }, (_, number) => {
      const first = Math.floor(Math.random() * template.itemCount)
      return signedRequest(port, template.operation, bodyText(template, first, number), credentials)
    })
  }

  next(): Buffer {
    this.#next = (this.#next + 1) % this.#requests.length
    return this.#requests[this.#next] ?? Buffer.alloc(0)
  }
}
