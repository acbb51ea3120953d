import { typeOf, validationException, type AttributeValue } from '@hashrange/core'

/** A vector in single precision; undefined if the value is not a list of exactly so many numbers that fit. Items with
 *  such values are not in the index. */
export function vectorOf(value: AttributeValue | undefined, dimensions: number): Float32Array | undefined {
  if (value === undefined || !('L' in value) || value.L.length !== dimensions) return undefined
  return singlesOf(value.L)
}

/** Numbers in single precision; undefined if one is not a number, or does not fit. */
export function singlesOf(elements: readonly AttributeValue[]): Float32Array | undefined {
  const vector = new Float32Array(elements.length)
  for (const [position, element] of elements.entries()) {
    if (!('N' in element)) return undefined
    vector[position] = Number(element.N)
    if (!Number.isFinite(vector[position])) return undefined
  }
  return vector
}

/** A number as a search shows it: the shortest one that is the same in single precision, with a fraction. */
export function singleText(single: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(single.toPrecision(digits))
    if (Math.fround(shorter) === single) return withFraction(shorter)
  }
  return withFraction(Number(single.toPrecision(9)))
}

function withFraction(number: number): string {
  const text = Object.is(number, -0) ? '-0' : String(number)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** Rejects an attribute that an index reads and that is not a vector of its dimensions. */
export function checkVector(
  name: string,
  value: AttributeValue,
  index: { readonly indexName: string; readonly dimensions: number },
): void {
  const { indexName, dimensions } = index
  if (!('L' in value)) {
    throw invalid(`type for parameter ${name}, Expected: 32-bit floating point number list IndexName: ${indexName}`)
  }
  const { length } = value.L
  if (length !== dimensions) {
    throw invalid(`size for parameter ${name}, Expected: ${dimensions}, Actual: ${length} IndexName: ${indexName}`)
  }
  for (const [position, element] of value.L.entries()) {
    const place = `parameter ${name}[${position}]`
    if (!('N' in element)) {
      throw invalid(
        `type for ${place}, Expected: 32-bit floating point number, Actual: ${typeOf(element)}. IndexName: ${indexName}`,
      )
    }
    if (!Number.isFinite(Math.fround(Number(element.N)))) {
      throw invalid(
        `value for ${place}, Value: ${scientific(element.N)} is outside valid range [-3.4028235E38, 3.4028235E38]. IndexName: ${indexName}`,
      )
    }
  }
}

function invalid(what: string): Error {
  return validationException(`One or more parameter values were invalid. Invalid ${what}`)
}

/** A number beyond single precision as Java prints it: it has more digits than are significant. */
function scientific(number: string): string {
  const [, sign = '', digits = ''] = /^(-?)(\d+)/.exec(number) ?? []
  const significant = digits.replace(/0+$/, '')
  const fraction = significant.length > 1 ? `.${significant.slice(1)}` : ''
  return `${sign}${significant.slice(0, 1)}${fraction}E+${digits.length - 1}`
}
