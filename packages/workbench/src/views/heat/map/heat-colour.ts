import type { Theme } from '../../../state/theme.ts'

/** The colour of a share of capacity, as `rgb(…)`. Lightness changes evenly along the scale and in one direction alone, so that
 *  order and distance are seen by everyone, whatever colours they tell apart; the hue only helps. What is hot is what stands
 *  out most: dark on a light page, bright on a dark one. */
export function heatColour(share: number, theme: Theme): string {
  const steps = scales[theme]
  return steps[Math.round(heatPosition(share) * (steps.length - 1))] ?? steps[0] ?? ''
}

/** Where a share stands on the scale, from 0 to 1. A root, so that the little traffic of a laptop shows too. */
export function heatPosition(share: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, share)))
}

/** The whole scale, as a CSS gradient from left to right. */
export function heatGradient(theme: Theme): string {
  const steps = scales[theme].filter((_, position) => position % 8 === 0)
  return `linear-gradient(to right, ${steps.join(', ')})`
}

interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

const stepCount = 65

/** Yellow through red to violet, one way or the other. */
const scales: Readonly<Record<Theme, readonly string[]>> = {
  light: scaleBetween([
    { lightness: 0.965, chroma: 0.03, hue: 100 },
    { lightness: 0.86, chroma: 0.12, hue: 85 },
    { lightness: 0.755, chroma: 0.155, hue: 60 },
    { lightness: 0.65, chroma: 0.19, hue: 38 },
    { lightness: 0.545, chroma: 0.2, hue: 20 },
    { lightness: 0.44, chroma: 0.175, hue: 0 },
    { lightness: 0.335, chroma: 0.13, hue: -25 },
  ]),
  dark: scaleBetween([
    { lightness: 0.27, chroma: 0.04, hue: -70 },
    { lightness: 0.375, chroma: 0.11, hue: -50 },
    { lightness: 0.48, chroma: 0.16, hue: -15 },
    { lightness: 0.59, chroma: 0.19, hue: 15 },
    { lightness: 0.7, chroma: 0.175, hue: 42 },
    { lightness: 0.81, chroma: 0.15, hue: 75 },
    { lightness: 0.92, chroma: 0.12, hue: 100 },
  ]),
}

function scaleBetween(stops: readonly Oklch[]): readonly string[] {
  return Array.from({ length: stepCount }, (_, step) => {
    const at = (step / (stepCount - 1)) * (stops.length - 1)
    const from = stops[Math.min(Math.floor(at), stops.length - 2)]
    const to = stops[Math.min(Math.floor(at), stops.length - 2) + 1]
    if (from === undefined || to === undefined) return ''
    const part = at - Math.min(Math.floor(at), stops.length - 2)
    return rgbOf({
      lightness: between(from.lightness, to.lightness, part),
      chroma: between(from.chroma, to.chroma, part),
      hue: between(from.hue, to.hue, part),
    })
  })
}

function between(from: number, to: number, part: number): number {
  return from + (to - from) * part
}

/** OKLCH to sRGB, by Björn Ottosson's published matrices. */
function rgbOf({ lightness, chroma, hue }: Oklch): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `rgb(${linear.map(byteOf).join(' ')})`
}

function byteOf(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear))
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
}
