import { describe, expect, test } from 'vitest'
import { heatColour, heatPosition } from './heat-colour.ts'

/** Relative luminance, as WCAG defines it: what is left of a colour for those who see none. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((text) => {
    const part = Number(text) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Perceived lightness, CIE L*, from 0 to 100. */
function lightness(colour: string): number {
  return 116 * Math.cbrt(luminance(colour)) - 16
}

describe('the colours of heat', () => {
  const shares = Array.from({ length: 21 }, (_, position) => (position / 20) ** 2)

  test.each([
    ['light', -1],
    ['dark', 1],
  ] as const)('in %s, grow in contrast in steps that look alike', (theme, direction) => {
    const steps = shares.map((share) => lightness(heatColour(share, theme)))
    const differences = steps.slice(1).map((step, position) => (step - (steps[position] ?? 0)) * direction)
    const average = differences.reduce((sum, one) => sum + one, 0) / differences.length
    expect(average).toBeGreaterThan(2.5)
    for (const difference of differences) {
      expect(difference).toBeGreaterThan(average * 0.4)
      expect(difference).toBeLessThan(average * 1.8)
    }
  })

  test('a share beyond the limit is as hot as the limit, and nothing is colder than none', () => {
    expect(heatColour(3, 'light')).toBe(heatColour(1, 'light'))
    expect(heatColour(-1, 'dark')).toBe(heatColour(0, 'dark'))
    expect(heatColour(Number.NaN, 'dark')).toBe(heatColour(0, 'dark'))
  })

  test('one per cent is seen', () => {
    expect(heatPosition(0.01)).toBeCloseTo(0.1)
    expect(heatColour(0.01, 'light')).not.toBe(heatColour(0, 'light'))
  })
})
