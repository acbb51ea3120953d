// The services' own shapes, as far as the tab reads them. Times are seconds since 1970.

interface ScaledPlace {
  /** `table/shop`, or `table/shop/index/GSI1`. */
  readonly ResourceId: string
  /** `dynamodb:table:ReadCapacityUnits`. */
  readonly ScalableDimension: string
}

export interface ScalableTarget extends ScaledPlace {
  readonly MinCapacity: number
  readonly MaxCapacity: number
}

export interface ScalingPolicy extends ScaledPlace {
  readonly PolicyName: string
  readonly TargetTrackingScalingPolicyConfiguration?: {
    readonly TargetValue: number
    readonly ScaleInCooldown?: number
    readonly ScaleOutCooldown?: number
    readonly DisableScaleIn?: boolean
  }
}

export interface ScheduledAction extends ScaledPlace {
  readonly ScheduledActionName: string
  readonly Schedule: string
  readonly Timezone?: string
  readonly ScalableTargetAction?: Bounds
}

interface Bounds {
  readonly MinCapacity?: number
  readonly MaxCapacity?: number
}

export interface ScalingActivity extends ScaledPlace {
  readonly ActivityId: string
  readonly Description: string
  readonly Cause: string
  readonly StartTime: number
  readonly StatusCode: string
  readonly StatusMessage?: string
}

export interface Scaling {
  readonly targets: readonly ScalableTarget[]
  readonly policies: readonly ScalingPolicy[]
  readonly scheduled: readonly ScheduledAction[]
  readonly activities: readonly ScalingActivity[]
}

export interface Alarm {
  readonly AlarmName: string
  readonly AlarmDescription?: string
  readonly StateValue: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA'
  readonly StateReason?: string
  readonly MetricName?: string
  readonly Dimensions?: readonly Dimension[]
  readonly Metrics?: readonly {
    readonly MetricStat?: { readonly Metric: { readonly Dimensions?: readonly Dimension[] } }
  }[]
  readonly ComparisonOperator: string
  readonly Threshold?: number
  readonly Statistic?: string
  readonly ExtendedStatistic?: string
  readonly Period?: number
  readonly EvaluationPeriods: number
}

interface Dimension {
  readonly Name: string
  readonly Value: string
}

/** Names may be the beginning of others. */
export function isOfTable(resourceId: string, tableName: string): boolean {
  return resourceId === `table/${tableName}` || resourceId.startsWith(`table/${tableName}/index/`)
}

export function alarmsOfTable(alarms: readonly Alarm[], tableName: string): readonly Alarm[] {
  return alarms.filter(({ Dimensions = [], Metrics = [] }) =>
    [...Dimensions, ...Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? [])].some(
      ({ Name, Value }) => Name === 'TableName' && Value === tableName,
    ),
  )
}

/** `reads of the table`, `writes of GSI1`. */
export function placeText({ ResourceId, ScalableDimension }: ScaledPlace): string {
  const [, indexName] = /\/index\/(.+)$/.exec(ResourceId) ?? []
  const side = ScalableDimension.endsWith('ReadCapacityUnits') ? 'Reads' : 'Writes'
  return `${side} of ${indexName ?? 'the table'}`
}

/** What a schedule sets: `20 to 200`, `at least 20`, `at most 200`. */
export function boundsText({ MinCapacity: least, MaxCapacity: most }: Bounds = {}): string {
  if (least !== undefined && most !== undefined) return `${String(least)} to ${String(most)}`
  if (least !== undefined) return `at least ${String(least)}`
  return most === undefined ? '–' : `at most ${String(most)}`
}

/** `Sum of WriteThrottleEvents > 0, 1 × 60 s`. */
export function conditionText(alarm: Alarm): string {
  const { MetricName, Statistic, ExtendedStatistic, ComparisonOperator, Threshold, Period, EvaluationPeriods } =
    alarm
  const what =
    MetricName === undefined ? 'an expression' : `${Statistic ?? ExtendedStatistic ?? ''} of ${MetricName}`.trim()
  const span =
    Period === undefined
      ? `${String(EvaluationPeriods)} periods`
      : `${String(EvaluationPeriods)} × ${String(Period)} s`
  return `${what} ${comparisons[ComparisonOperator] ?? ComparisonOperator} ${String(Threshold ?? '')}, ${span}`
}

const comparisons: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '≥',
  LessThanThreshold: '<',
  LessThanOrEqualToThreshold: '≤',
}
