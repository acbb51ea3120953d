/** Where the commands look for a server, unless they are told. */
export const defaultEndpoint = 'http://127.0.0.1:8000'

export function endpointOfServer(): string {
  return process.env['HASHRANGE_ENDPOINT'] || defaultEndpoint
}
