import type { Item } from '@hashrange/core'
import { Crosshair, X } from '../../icons/icons.generated.ts'
import { Button } from '../../components/controls/button.tsx'
import { keyTitle } from '../items/keys/keys.ts'

/** Which item is followed, and the way back to all partitions. */
export function FollowedNotice({
  itemKey,
  isMissing,
  onClear,
}: {
  readonly itemKey: Item
  readonly isMissing: boolean
  readonly onClear: () => void
}) {
  return (
    <div className="collections-followed" role="status">
      <Crosshair aria-hidden />
      <span className="truncate">
        {isMissing ? 'There is no item ' : 'Where this item appears, with the items around it: '}
        <b dir="auto">{keyTitle(itemKey)}</b>
      </span>
      <Button tone="quiet" icon={<X />} onClick={onClear}>
        All partitions
      </Button>
    </div>
  )
}
