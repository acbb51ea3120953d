import type { Engine, LinkReport } from '@hashrange/engine'
import { Links } from '@hashrange/engine/links'
import { isLoopback, type MetricSource, type Route } from '@hashrange/server'
import { trustIssuer } from '../commands/trust-issuer.ts'
import type { LinkStatus } from '../regions/link-status.ts'
import { linkFamilies } from './link-families.ts'
import type { LinkSettings } from './link-flags.ts'
import { Link } from './link.ts'
import { replicationRoute } from './replication-route.ts'

/** The links of a server to those of other regions. */
export interface OpenLinks extends MetricSource {
  readonly route: Route
  readonly statuses: () => readonly LinkStatus[]
  /** Begins to receive. */
  begin(): void
  /** Responses that wait end at once. */
  stop(): void
}

/** How often what must still be sent is counted, for `/metrics`. */
const countEveryMs = 2_000

export function openLinks(
  engine: Engine,
  { region = '', links: declared = [], linkCredentials: credentials, linkCa }: LinkSettings,
  log: (sentence: string) => void,
): OpenLinks {
  if (linkCa !== undefined) trustIssuer(linkCa)
  const told = new Map<string, string>()
  const links = new Links(engine, region, (about, sentence) => {
    if (told.get(about) === sentence) return
    told.set(about, sentence)
    log(sentence)
  })
  let sending: readonly LinkReport[] = []
  const stop = new AbortController()
  const stopping = AbortSignal.any([stop.signal, engine.background.stopping])
  const all = declared.map((peer) => new Link(engine, links, { ...peer, credentials }, log))
  for (const { region: name, url } of declared) {
    const { protocol, hostname } = new URL(url)
    if (protocol === 'https:' || isLoopback(hostname) || hostname === 'localhost') continue
    log(
      `The link to ${name} is not encrypted: anyone on the network between the servers can read it. Use an https address.`,
    )
  }
  return {
    route: replicationRoute(links, stopping),
    statuses: () => all.map(({ status }) => status),
    metricFamilies: () =>
      linkFamilies(
        all.map(({ status }) => status),
        sending,
      ),
    begin: () => {
      for (const link of all) engine.background.run(() => link.run(stopping))
      engine.background.every(countEveryMs, async () => {
        sending = (await engine.replicationReport()).links.filter(({ to }) => engine.regionsElsewhere.has(to))
      })
    },
    stop: () => stop.abort(),
  }
}
