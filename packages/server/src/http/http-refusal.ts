/** Why a connection's bytes are not a request that can be served. The connection answers with `status` and closes,
 *  because after a malformed request nobody knows where the next one begins. */
export class HttpRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'HttpRefusal'
    this.status = status
  }
}

export function badRequest(message: string): HttpRefusal {
  return new HttpRefusal(400, message)
}
