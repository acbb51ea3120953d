import type { ReactNode } from 'react'
import { Tabs } from '../../../components/controls/tabs.tsx'

const titles = { results: 'Results', request: 'Request', code: 'Code', access: 'Access' } as const

export interface ResultTabsProps<Tab extends keyof typeof titles> {
  readonly tab: Tab
  readonly tabs: readonly Tab[]
  readonly onTab: (tab: Tab) => void
  /** What stands under each. */
  readonly panes: Readonly<Record<Tab, ReactNode>>
}

/** What a query came to, what is sent for it, and the code for it. */
export function ResultTabs<Tab extends keyof typeof titles>({ tab, tabs, onTab, panes }: ResultTabsProps<Tab>) {
  return (
    <Tabs
      label="Result"
      value={tab}
      onChange={onTab}
      tabs={tabs.map((value) => ({ value, label: titles[value], content: panes[value] }))}
    />
  )
}
