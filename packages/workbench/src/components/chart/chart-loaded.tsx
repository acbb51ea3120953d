import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import { useTheme } from '../../state/theme.ts'
import './chart.css'

export interface ChartSeries {
  readonly label: string
  /** One for each time; null where nothing is known. */
  readonly values: readonly (number | null)[]
  /** A custom property such as `--chart-1`; by position by default. */
  readonly colour?: string
  readonly isFilled?: boolean
  readonly isDashed?: boolean
  readonly isStepped?: boolean
  /** Marks each value, for series with holes: a value between two of them is no line. */
  readonly hasPoints?: boolean
}

export interface ChartProps {
  /** What it shows, for those who cannot see it. */
  readonly label: string
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly heightPx?: number
  readonly format?: (value: number) => string
  /** The least that the scale shows, so that noise does not fill the chart. */
  readonly leastTop?: number
}

export default function ChartLoaded({
  label,
  times,
  series,
  heightPx = 180,
  format = String,
  leastTop = 1,
}: ChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const theme = useTheme()
  const shape = JSON.stringify(series.map(({ values: _values, ...rest }) => rest))
  const latest = useRef({ times, series, format })
  latest.current = { times, series, format }

  useEffect(() => {
    const element = host.current
    if (element === null) return
    const style = getComputedStyle(document.documentElement)
    const colourOf = (name: string): string => style.getPropertyValue(name).trim()
    const made = new uPlot(
      {
        width: element.clientWidth,
        height: heightPx - 28,
        cursor: { y: false, points: { size: 6 } },
        legend: { live: true },
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(leastTop, max * 1.1)] } },
        axes: [
          {
            stroke: colourOf('--text-3'),
            grid: { show: false },
            ticks: { stroke: colourOf('--border') },
            font: '11px sans-serif',
            values: timeMarks,
          },
          {
            stroke: colourOf('--text-3'),
            grid: { stroke: colourOf('--border'), width: 1 },
            ticks: { show: false },
            font: '11px sans-serif',
            size: 56,
            // Figures that are rounded can be the same at two marks.
            values: (_plot, marks) =>
              marks
                .map((mark) => latest.current.format(mark))
                .map((text, at, all) => (text === all[at - 1] ? '' : text)),
          },
        ],
        series: [
          { value: '{MMM} {D}, {HH}:{mm}:{ss}' },
          ...latest.current.series.map(
            ({ label: name, colour, isFilled, isDashed, isStepped, hasPoints }, position) => {
              const stroke = colourOf(colour ?? `--chart-${String((position % 6) + 1)}`)
              return {
                label: name,
                stroke,
                width: 1.6,
                points: { show: hasPoints === true, size: 5, fill: stroke },
                ...(isFilled === true && { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` }),
                ...(isDashed === true && { dash: [5, 4] }),
                ...(isStepped === true && uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
                value: (_plot: uPlot, value: number | null) =>
                  value === null ? '–' : latest.current.format(value),
              }
            },
          ),
        ],
      },
      dataOf(latest.current.times, latest.current.series),
      element,
    )
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: heightPx - 28 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape, theme, heightPx, leastTop])

  useEffect(() => plot.current?.setData(dataOf(times, series)), [times, series])

  return <div ref={host} className="chart" role="img" aria-label={label} />
}

/** The labels of the time axis, by the distance between marks (seconds): 24-hour times, with the day where a new one
 *  begins. The library's format: the step, what is always written, and what is added where the year, month, day,
 *  hour, minute or second changes; 1 writes it below. */
const timeMarks: uPlot.Axis.Values = [
  [86_400 * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86_400, '{MMM} {D}', '\n{YYYY}', null, null, null, null, null, 1],
  [3_600, '{HH}:00', '\n{MMM} {D}', null, '\n{MMM} {D}', null, null, null, 1],
  [60, '{HH}:{mm}', '\n{MMM} {D}', null, '\n{MMM} {D}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', null, null, '\n{MMM} {D}', null, null, null, 1],
]

function dataOf(times: readonly number[], series: readonly ChartSeries[]): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData
}
