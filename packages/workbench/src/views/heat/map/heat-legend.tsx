import { useTheme } from '../../../state/theme.ts'
import { heatGradient, heatPosition } from './heat-colour.ts'

const marks = [
  { share: 0, text: 'idle' },
  { share: 0.03, text: '3 %' },
  { share: 0.1, text: '10 %' },
  { share: 0.3, text: '30 %' },
  { share: 0.8, text: '80 %' },
  { share: 1, text: '100 %' },
]

/** What the colours mean, and what follows from them. */
export function HeatLegend() {
  const theme = useTheme()
  return (
    <div className="heat-legend">
      <div
        className="heat-legend-scale"
        role="img"
        aria-label="The colour of a cell shows how much of a partition’s capacity is used: 3,000 read units and 1,000 write units per second."
      >
        <div className="heat-legend-bar" style={{ background: heatGradient(theme) }} />
        {marks.map(({ share, text }) => (
          <span key={text} style={{ left: `${String(heatPosition(share) * 100)}%` }}>
            {text}
          </span>
        ))}
      </div>
      <p className="heat-legend-words">
        The share of <strong>3,000 RCU</strong> or <strong>1,000 WCU</strong> per second, the limit of one
        partition. After five minutes above <strong>80 %</strong>, the partition is split, unless one key has all
        the load. At <strong>100 %</strong>, requests are throttled (<span className="heat-hatch" aria-hidden />{' '}
        stripes).
      </p>
    </div>
  )
}
