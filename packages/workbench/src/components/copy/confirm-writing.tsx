import type { ConnectionInfo } from '../../answers/connections.ts'
import { confirm } from '../dialogs/confirm.tsx'

/** Asks before this tab may write to a connection. */
export function confirmWriting({ name, kind, place, region }: ConnectionInfo): Promise<boolean> {
  return confirm({
    title: `Allow writing to ${name}?`,
    action: 'Allow writing',
    tone: 'danger',
    body: (
      <div className="stack">
        <p>
          What you then create, change or delete happens in <strong>{place}</strong> ({region})
          {kind === 'aws' && ', and costs what AWS charges for it'}.
        </p>
        <p>Only this tab may write, for an hour or until you reload the page. You can switch it off at the top.</p>
      </div>
    ),
  })
}
