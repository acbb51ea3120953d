import { Facts } from '../../../components/page/page.tsx'
import { formatTime } from '../../../values/format.ts'

/** The settings of a trigger, under Lambda's own names. */
export function MappingSettings({ settings }: { readonly settings: Readonly<Record<string, unknown>> }) {
  const facts = Object.entries(settings)
    .filter(([name]) => !shownElsewhere.has(name))
    .map(([name, value]) => [name, settingText(name, value)] as const)
  return (
    <div className="mapping-settings">
      <Facts facts={facts} />
    </div>
  )
}

const shownElsewhere: ReadonlySet<string> = new Set(['State', 'StateTransitionReason', 'LastProcessingResult'])

function settingText(name: string, value: unknown): string {
  if (value === -1) return 'unlimited'
  if (name === 'LastModified') return value === 0 ? 'with the start of the server' : dateText(value)
  if (Array.isArray(value) && value.length === 0) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Services count seconds since 1970. */
function dateText(value: unknown): string {
  return typeof value === 'number' ? formatTime(value) : JSON.stringify(value)
}
