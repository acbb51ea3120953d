/** What commands present to a closed server: the token in `HASHRANGE_TOKEN`, which `hashrange token` prints. */
export function tokenHeaders(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const token = environment['HASHRANGE_TOKEN']
  return token === undefined || token === '' ? {} : { Authorization: `Bearer ${token}` }
}

/** The message for a person whose command was rejected. */
export function closedServer(endpoint: string): string {
  return `The server at ${endpoint} is closed. Set HASHRANGE_TOKEN to a token that "hashrange token" prints on the server's machine.`
}
