import { describe, expect, test } from 'vitest'
import type { MissingData } from '../records/alarm-records.ts'
import { decideState } from './decide-state.ts'

const treatments: readonly MissingData[] = ['missing', 'ignore', 'breaching', 'notBreaching']

/** `X` breaches, `0` does not, `-` is missing; the oldest first. */
function states(points: string, datapointsToAlarm: number): (string | undefined)[] {
  const values = points.split(' ').map((point) => (point === '-' ? undefined : point === 'X' ? 10 : 0))
  return treatments.map((treatMissingData) =>
    decideState({
      values,
      evaluationPeriods: 3,
      datapointsToAlarm,
      threshold: 5,
      comparison: 'GreaterThanThreshold',
      treatMissingData,
    }),
  )
}

describe('the tables of CloudWatch’s guide', () => {
  test.each([
    ['0 - X - X', ['OK', 'OK', 'OK', 'OK']],
    ['0 - - - -', ['OK', 'OK', 'OK', 'OK']],
    ['- - - - -', ['INSUFFICIENT_DATA', undefined, 'ALARM', 'OK']],
    ['0 X X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['- - X - -', ['ALARM', undefined, 'ALARM', 'OK']],
  ])('three out of three: %s', (points, expected) => {
    expect(states(points, 3)).toEqual(expected)
  })

  test.each([
    ['0 - X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 0 X 0 X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 - X - -', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - - 0', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - X -', ['ALARM', undefined, 'ALARM', 'OK']],
  ])('two out of three: %s', (points, expected) => {
    expect(states(points, 2)).toEqual(expected)
  })

  test('one breaching value after a silence is no alarm yet', () => {
    expect(states('- - - - X', 3)[0]).toBeUndefined()
  })
})
