import { isLoopback } from '@hashrange/server'
import type { AccessKeyPair } from '@hashrange/access'
import type { StartSettings } from './command-line.ts'
import { describePlace, placeOf } from './store-place.ts'

/** What a newcomer can paste. `port` is the one in use, if the settings leave it open; `token` opens the workbench;
 *  `made` is the first administrator's key, if it was just created. */
export function greeting(
  settings: StartSettings,
  port: number,
  token: string,
  made?: AccessKeyPair,
  daxPort?: number,
): string {
  const endpoint = endpointOf(settings, port)
  const { region = 'us-east-1' } = settings
  const lines = [
    `hashrange is serving the DynamoDB API at ${endpoint}`,
    '',
    ...(settings.auth === true ? whoMayUseIt(endpoint, region, made) : howAnyoneUsesIt(endpoint, region)),
    ...whereDaxIs(settings, daxPort),
    ...whereTheWorkbenchIs(settings, endpoint, token),
    whereTheDataIs(settings),
  ]
  if (!isLoopback(settings.host) && settings.auth !== true) {
    lines.push(
      '',
      `Anyone who can reach ${isEverywhere(settings.host) ? 'this machine' : settings.host} can read and write the data, because signatures are not verified.`,
    )
  }
  return lines.join('\n')
}

function howAnyoneUsesIt(endpoint: string, region: string): readonly string[] {
  return [
    '  AWS CLI     AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local \\',
    `              aws dynamodb list-tables --endpoint-url ${endpoint} --region ${region}`,
    '',
    `  Python      boto3.client("dynamodb", endpoint_url="${endpoint}", region_name="${region}",`,
    '                           aws_access_key_id="local", aws_secret_access_key="local")',
    '',
    `  JavaScript  new DynamoDBClient({ endpoint: "${endpoint}", region: "${region}",`,
    '                                   credentials: { accessKeyId: "local", secretAccessKey: "local" } })',
    '',
  ]
}

/** The new key is shown here once and nowhere else. */
function whoMayUseIt(endpoint: string, region: string, made: AccessKeyPair | undefined): readonly string[] {
  const call = [`  aws dynamodb list-tables --endpoint-url ${endpoint} --region ${region}`, '']
  if (made === undefined)
    return ['The server is closed: every request must be signed with a key that it knows.', '', ...call]
  return [
    'The server is closed. This is the access key of its first administrator. It is shown only once:',
    '',
    `  export AWS_ACCESS_KEY_ID=${made.accessKeyId}`,
    `  export AWS_SECRET_ACCESS_KEY=${made.secretAccessKey}`,
    '',
    ...call,
  ]
}

function whereDaxIs({ tls, host }: StartSettings, port: number | undefined): readonly string[] {
  if (port === undefined) return []
  return [`DAX is at ${tls === undefined ? 'dax' : 'daxs'}://${isEverywhere(host) ? '127.0.0.1' : host}:${port}`]
}

function whereTheWorkbenchIs(settings: StartSettings, endpoint: string, token: string): readonly string[] {
  // A chosen token is known to whoever chose it, and outlives this start: it does not belong in a log.
  const address = `${endpoint}/_workbench/#token=`
  if (hasWorkbench(settings)) {
    return settings.workbenchToken === undefined
      ? [`The workbench is at ${address}${token}`]
      : [`The workbench is at ${address}, followed by the value of HASHRANGE_WORKBENCH_TOKEN.`]
  }
  return settings.workbench === false
    ? []
    : ['The workbench is off, because other machines can reach this server. To turn it on, use --workbench.']
}

/** By default only this machine has a workbench: a server that listens to others does not open it to their browsers
 *  unasked. */
export function hasWorkbench({ workbench, host }: Pick<StartSettings, 'workbench' | 'host'>): boolean {
  return workbench ?? isLoopback(host)
}

function whereTheDataIs(settings: StartSettings): string {
  const place = placeOf(settings)
  return place.kind === 'memory'
    ? 'The data is in memory and will be lost when the server stops. Press Ctrl+C to stop.'
    : `The data is in ${describePlace(place)}. Press Ctrl+C to stop.`
}

/** An address that a client on this machine can use. */
export function endpointOf({ host, tls }: Pick<StartSettings, 'host' | 'tls'>, port: number): string {
  const reachable = isEverywhere(host) ? '127.0.0.1' : host
  return `${tls === undefined ? 'http' : 'https'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === ''
}
