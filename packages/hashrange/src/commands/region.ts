import { closestWord } from '../closest-word.ts'
import { mostLagMs } from '../regions/region-actions.ts'
import { regionsPath, type RegionsReport } from '../regions/regions-route.ts'
import { linkStateText } from '../regions/link-status.ts'
import { askServer } from './ask-server.ts'
import { Mistake } from '../mistake.ts'
import { readWords } from './read-flags.ts'
import { readEndpoint } from './read-report.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange region: isolates, slows or stops a region of a running server, and brings it back

  hashrange region                       show the regions, and what must still be replicated
  hashrange region isolate eu-west-1     stop replication to and from a region; requests to it still work
  hashrange region lag eu-west-1 3s      delay replication to and from a region; 0 ends the delay
  hashrange region down eu-west-1        reject all requests to a region, and stop replication
  hashrange region up eu-west-1          accept requests again
  hashrange region heal [eu-west-1]      undo all of this, for one region or for all

  --endpoint URL      the server; http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --json              print JSON

Replicas of global tables accept writes while they are cut off. When the region is back, the replicas exchange what was
written, and the later write of each item wins. To see which writes were lost: hashrange conflicts`

const flags = {
  endpoint: { type: 'string' },
  json: { type: 'boolean' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

const actions = ['isolate', 'lag', 'down', 'up', 'heal']

export async function region(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('region', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const endpoint = readEndpoint(values.endpoint)
  const [action, name, time, ...others] = positionals
  const report = await askServer<RegionsReport>(endpoint, {
    ...requestOf(endpoint, action, name, time, others),
    what: 'regions',
  })
  console.log(values.json === true ? JSON.stringify(report) : reportText(report))
  const doubt = action === undefined || name === undefined ? undefined : doubtAbout(name, report)
  if (doubt !== undefined) console.error(`hashrange: ${doubt}`)
  return 0
}

/** A region may be isolated before it has tables. But if it has none, its name may be a mistake, and then nothing that a test
 *  expects to fail fails. */
function doubtAbout(name: string, { regionsInUse, servers = [] }: RegionsReport): string | undefined {
  const inUse = [...regionsInUse, ...servers.map(({ region: other }) => other)]
  if (inUse.includes(name)) return undefined
  const meant = closestWord(name.toLowerCase(), inUse)
  return `There are no tables in ${name}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}

function requestOf(
  endpoint: string,
  action: string | undefined,
  name: string | undefined,
  time: string | undefined,
  others: readonly string[],
): { readonly url: URL; readonly method: string } {
  if (action === undefined) return { url: new URL(`${endpoint}${regionsPath}`), method: 'GET' }
  if (!actions.includes(action)) {
    throw new Mistake(
      `"${action}" is not an action. The actions are ${actions.join(', ')}. See: hashrange region --help`,
    )
  }
  if (name === undefined && action !== 'heal') {
    throw new Mistake(
      `Name a region, such as: hashrange region ${action} eu-west-1${action === 'lag' ? ' 3s' : ''}`,
    )
  }
  if (others.length > 0 || (time !== undefined && action !== 'lag')) {
    throw new Mistake(
      `hashrange region ${action} does not take "${others[0] ?? time}". See: hashrange region --help`,
    )
  }
  const url = new URL(`${endpoint}${regionsPath}/${action}`)
  if (name !== undefined) url.searchParams.set('region', name)
  if (action === 'lag') url.searchParams.set('ms', String(readDuration(time)))
  return { url, method: 'POST' }
}

function readDuration(text: string | undefined): number {
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text ?? '') ?? []
  if (number === '') throw new Mistake(`The delay must be a time such as 500ms, 3s or 2m, not "${text ?? ''}".`)
  const ms = Math.round(Number(number) * (unit === 'ms' ? 1 : unit === 's' ? 1000 : 60_000))
  if (ms > mostLagMs)
    throw new Mistake(`The delay can be at most ${mostLagMs / 60_000}m, which is a day, not "${text}".`)
  return ms
}

function reportText({ regions, links, servers = [] }: RegionsReport): string {
  const lines = Object.entries(regions).map(([name, { isIsolated, isDown, lagMs }]) => {
    const states = [
      ...(isDown === true ? ['down'] : []),
      ...(isIsolated === true ? ['isolated'] : []),
      ...(lagMs === undefined ? [] : [`delayed by ${lagMs / 1000} s`]),
    ]
    return `${name} is ${states.join(', ')}.`
  })
  if (lines.length === 0) lines.push('All regions are connected.')
  for (const { region: name, url, state, error } of servers) {
    lines.push(`The link to ${name} (${url}) is ${linkStateText[state]}${error === undefined ? '' : `: ${error}`}.`)
  }
  if (links.length === 0) lines.push('There are no global tables.')
  for (const { tableName, from, to, status, pending, lagMs } of links) {
    const left = pending === 0 ? 'nothing to send' : `${pending} to send, for ${(lagMs / 1000).toFixed(1)} s`
    lines.push(`${tableName}  ${from} → ${to}  ${status === 'cut' ? 'cut off, ' : ''}${left}`)
  }
  return lines.join('\n')
}
