import type { LinkReport } from '@hashrange/engine'
import type { MetricFamily } from '@hashrange/server'
import type { LinkStatus } from '../regions/link-status.ts'

/** How the links to other regions stand, for `/metrics`. */
export function* linkFamilies(
  links: readonly LinkStatus[],
  sending: readonly LinkReport[],
): Iterable<MetricFamily> {
  const sent = (value: (link: LinkReport) => number) =>
    sending.map((link) => ({
      labels: { account: link.accountId, table: link.tableName, from: link.from, to: link.to },
      value: value(link),
    }))
  yield {
    name: 'hashrange_replication_pending_changes',
    help: 'Changes that another region has not acknowledged; at most 10,000 are counted.',
    type: 'gauge',
    samples: sent(({ pending }) => pending),
  }
  yield {
    name: 'hashrange_replication_lag_seconds',
    help: 'How long the oldest of these changes has waited.',
    type: 'gauge',
    unit: 'seconds',
    samples: sent(({ lagMs }) => lagMs / 1000),
  }
  const samples = (value: (link: LinkStatus) => number) =>
    links.map((link) => ({ labels: { from: link.region }, value: value(link) }))
  yield {
    name: 'hashrange_replication_link_up',
    help: 'Whether what is written in another region is being received: 1 if it is, or if another server of the same store does it.',
    type: 'gauge',
    samples: samples(({ state }) => (state === 'up' || state === 'elsewhere' ? 1 : 0)),
  }
  yield {
    name: 'hashrange_replication_transferred_bytes',
    help: 'Bytes transferred to receive what was written in another region, compressed.',
    type: 'counter',
    unit: 'bytes',
    samples: samples(({ receivedBytes }) => receivedBytes),
  }
  yield {
    name: 'hashrange_replication_received_changes',
    help: 'Changes received from another region.',
    type: 'counter',
    samples: samples(({ receivedChanges }) => receivedChanges),
  }
  yield {
    name: 'hashrange_replication_clock_ahead_seconds',
    help: 'How far the clock of another region is ahead of the clock here.',
    type: 'gauge',
    unit: 'seconds',
    samples: samples(({ clockAheadMs }) => clockAheadMs / 1000),
  }
}
