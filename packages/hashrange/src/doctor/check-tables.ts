import { loadSdk } from '../load-sdk.ts'
import { good, note, problem, type Finding } from './finding.ts'

/** Lists tables as a program would: with the SDK, and the credentials and the region that it finds. */
export async function checkTables(endpoint: string, region: string | undefined): Promise<Finding> {
  let sdk: ReturnType<typeof loadSdk>
  try {
    sdk = loadSdk()
  } catch {
    return note(
      'The AWS SDK for JavaScript is not installed, so no request was tried.',
      'npm install @aws-sdk/client-dynamodb',
    )
  }
  const client = new sdk.DynamoDBClient({ endpoint, maxAttempts: 1, ...(region !== undefined && { region }) })
  try {
    const { TableNames: names = [], LastEvaluatedTableName: more } = await client.send(
      new sdk.ListTablesCommand({ Limit: 100 }),
      { abortSignal: AbortSignal.timeout(5_000) },
    )
    if (names.length === 0) {
      return note(
        `There are no tables in ${region ?? 'this region'} for this access key.`,
        'Each access key has its own tables in each region. The log of the server says if there are some elsewhere.',
      )
    }
    const count = more === undefined ? `${names.length}` : 'More than 100'
    return good(
      `${count} ${names.length === 1 ? 'table' : 'tables'} in ${region ?? 'this region'} for this access key.`,
    )
  } catch (error) {
    return refused(error)
  } finally {
    client.destroy()
  }
}

function refused(error: unknown): Finding {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name.startsWith('AccessDenied'))
    return note('The access key is right, but its policies do not allow dynamodb:ListTables.')
  return problem(`A request was refused: ${name}: ${message}`, advice.get(name) ?? 'See docs/security.md.')
}

const advice: ReadonlyMap<string, string> = new Map([
  ['CredentialsProviderError', 'export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local'],
  [
    'UnrecognizedClientException',
    'The server is closed (--auth) and does not know this access key. Use one of its own.',
  ],
  ['InvalidSignatureException', 'The server is closed (--auth). Check the secret access key, and the clock.'],
  ['ExpiredTokenException', 'The session has expired. Get new credentials.'],
])
