import type { Severity } from '@hashrange/model/check'
import { PartyPopper } from '../../icons/icons.generated.ts'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { EmptyState, Skeleton } from '../../components/messages/notices.tsx'
import { FindingList } from './finding-list.tsx'
import type { ModelTabProps } from './patterns-tab.tsx'

const order: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 }

/** All that the checker has to say, the worst first. */
export function FindingsTab({ check }: ModelTabProps) {
  if (check === undefined) {
    return (
      <div className="model-pad">
        <Skeleton lines={5} />
      </div>
    )
  }
  if (check.findings.length === 0) {
    return (
      <EmptyState icon={<PartyPopper />} title="No findings">
        Every pattern was run on generated data. Each uses a key and stays within its budget.
      </EmptyState>
    )
  }
  const sorted = check.findings.toSorted((a, b) => order[a.severity] - order[b.severity])
  return (
    <ScrollRegion label="Findings" className="model-scroll model-pad">
      <FindingList findings={sorted} withPlace />
    </ScrollRegion>
  )
}
