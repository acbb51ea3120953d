import type { Finding } from '@hashrange/model/check'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from '../../icons/icons.generated.ts'
import './finding-list.css'

const icons = {
  error: <CircleAlert aria-hidden />,
  warning: <TriangleAlert aria-hidden />,
  note: <Info aria-hidden />,
}

/** The findings of a place, each with what to do about it. */
export function FindingList({
  findings,
  withPlace = false,
}: {
  readonly findings: readonly Finding[]
  readonly withPlace?: boolean
}) {
  return (
    <ul className="model-findings">
      {findings.map((finding, position) => (
        <li key={position} className={`model-finding model-finding-${finding.severity}`}>
          {icons[finding.severity]}
          <div className="grow">
            {withPlace && (
              <div className="model-finding-place">
                <span className="muted">{finding.where.kind}</span> <strong>{finding.where.name}</strong>
                {finding.where.location !== undefined && (
                  <span className="muted mono model-finding-line">
                    {shortFile(finding.where.location.file)}:{finding.where.location.line}
                  </span>
                )}
              </div>
            )}
            <p>{finding.reason}</p>
            <p className="model-finding-remedy">{finding.remedy}</p>
          </div>
          <code className="model-finding-code">{finding.code}</code>
        </li>
      ))}
    </ul>
  )
}

/** How many findings of each severity, as small marks; a tick where there are none. */
export function FindingMarks({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return <CircleCheck className="model-mark model-mark-none" aria-label="No findings" />
  return (
    <span className="model-marks">
      {(['error', 'warning', 'note'] as const).map((severity) => {
        const found = findings.filter((finding) => finding.severity === severity)
        if (found.length === 0) return null
        return (
          <span
            key={severity}
            className={`model-mark model-mark-${severity}`}
            title={found.map(({ reason }) => reason).join('\n')}
            aria-label={`${String(found.length)} of severity ${severity}`}
            role="img"
          >
            {icons[severity]}
            {found.length > 1 && found.length}
          </span>
        )
      })}
    </span>
  )
}

function shortFile(file: string): string {
  return file.replace(/^.*[/\\]/, '')
}
