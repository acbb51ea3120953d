import { useEffect, useRef } from 'react'
import { useTheme } from '../../../state/theme.ts'
import { heatColour } from '../map/heat-colour.ts'

/** The last 60 minutes of the busiest partition, as a strip of the heat map's colours. */
export function HeatStrip({ label, minutes }: { readonly label: string; readonly minutes: readonly number[] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    context.clearRect(0, 0, 120, 1)
    for (let minute = 0; minute < 60; minute++) {
      const share = minutes[minute] ?? 0
      if (share === 0) continue
      context.fillStyle = heatColour(share, theme)
      context.fillRect(minute * 2, 0, 2, 1)
    }
  }, [minutes, theme])
  return <canvas ref={canvas} className="heat-strip" width={120} height={1} role="img" aria-label={label} />
}
