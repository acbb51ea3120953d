import type { ReactNode } from 'react'
import { EmptyState } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import type { View } from '../../views/views.tsx'

/** What works with any database that has DynamoDB's API. */
const everywhere: ReadonlySet<string> = new Set([
  'tables',
  'items',
  'collections',
  'query',
  'partiql',
  'model',
  'streams',
])

const reasons: ReadonlyMap<string, string> = new Map([
  [
    'heat',
    'Only hashrange measures partitions, keys and throttled requests. To see the heat of another hashrange server, open its own workbench; on AWS, see CloudWatch and Contributor Insights.',
  ],
])

/** Why a view shows nothing of another database. */
export function whyNotHere({ path, title }: Pick<View, 'path' | 'title'>): string | undefined {
  if (everywhere.has(path)) return undefined
  return reasons.get(path) ?? `${title} shows what this hashrange server does, and not what other databases do.`
}

/** Whether a view reads items as soon as it is opened. */
export function costsToRead({ path }: Pick<View, 'path'>): boolean {
  return path === 'items' || path === 'collections'
}

export function NotHere({
  view: { title, icon },
  children,
}: {
  readonly view: View
  readonly children: ReactNode
}) {
  return (
    <Page title={title}>
      <EmptyState icon={icon} title="Only for this server">
        {children}
      </EmptyState>
    </Page>
  )
}
