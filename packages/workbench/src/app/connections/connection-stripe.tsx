import { Lock, LockOpen } from '../../icons/icons.generated.ts'
import type { ConnectionInfo } from '../../answers/connections.ts'
import { beginWriting, endWriting } from '../../api/connections.ts'
import { useWritingGrant } from '../../api/writing.ts'
import { tellError } from '../../components/messages/toast.tsx'
import { confirmWriting } from '../../components/copy/confirm-writing.tsx'
import { Tooltip } from '../../components/controls/tooltip.tsx'
import { connectionStyle } from '../../values/connection-colour.ts'
import './connections.css'

/** A line over the whole page, in the colour of the connection: whoever looks at it knows that this is not the database at
 *  home. While this tab may write to it, the line says that too. */
export function ConnectionStripe({ connection }: { readonly connection: ConnectionInfo }) {
  const isWriting = useWritingGrant(connection.name) !== undefined
  return (
    <div
      className={`connection-stripe ${isWriting ? 'is-writing' : ''}`}
      style={connectionStyle(connection.colour)}
      aria-hidden
    />
  )
}

/** Which kind of place this is, and whether it may be changed. */
export function ConnectionMark({ connection }: { readonly connection: ConnectionInfo }) {
  const { name, kind, colour, writing, place } = connection
  const isWriting = useWritingGrant(name) !== undefined
  const change = async (): Promise<void> => {
    if (isWriting) await endWriting(name)
    else if (await confirmWriting(connection)) await beginWriting(name)
  }
  return (
    <>
      {kind === 'aws' && (
        <span className="connection-mark" style={connectionStyle(colour)} title={place}>
          AWS
        </span>
      )}
      {writing === 'never' && <span className="connection-locked">read-only</span>}
      {writing === 'on-request' && (
        <Tooltip text={isWriting ? 'This tab may write. Press to stop it.' : 'Read-only. Press to allow writing.'}>
          <button
            type="button"
            role="switch"
            aria-checked={isWriting}
            aria-label={`Writing to ${name}`}
            className={`connection-switch ${isWriting ? 'is-writing' : ''}`}
            onClick={() => void change().catch(tellError)}
          >
            {isWriting ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
            <span>{isWriting ? 'Writing' : 'Read-only'}</span>
          </button>
        </Tooltip>
      )}
    </>
  )
}
