import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { Waiting } from '../../../components/messages/notices.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { formatTime } from '../../../values/format.ts'
import { useFunctionLog } from '../use-events.ts'

/** What a function prints, as it prints it, and the errors of its calls. */
export function FunctionLogView({ functionName }: { readonly functionName: string }) {
  const { data, error, refetch } = useFunctionLog(functionName)
  if (data === undefined) return <Waiting error={error} onRetry={refetch} lines={4} />
  const { lines } = data
  return (
    <div className="stack">
      <div className="row">
        <p className="grow muted">The latest lines since this server started. The newest are at the bottom.</p>
        <CopyButton
          label="Copy the log"
          text={() => lines.map(({ atMs, text }) => `${formatTime(atMs / 1000)} ${text}`).join('\n')}
        />
      </div>
      {lines.length === 0 ? (
        <p className="muted">The function has printed nothing yet.</p>
      ) : (
        <ScrollRegion label={`Log of ${functionName}`} className="function-log">
          <ol className="function-log-lines mono">
            {lines.map(({ number, atMs, kind, text }) => (
              <li key={number} className={`function-log-line is-${kind}`}>
                <time className="number muted" dateTime={new Date(atMs).toISOString()}>
                  {formatTime(atMs / 1000).slice(11)}
                </time>
                <span>
                  {kind === 'failed' && <span className="function-log-mark">failed </span>}
                  {text}
                </span>
              </li>
            ))}
          </ol>
        </ScrollRegion>
      )}
    </div>
  )
}
