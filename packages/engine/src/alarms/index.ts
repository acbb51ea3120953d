export { evaluateAlarms, forgetAlarmHistory } from './evaluate-alarms.ts'
export { watchMetrics } from './watch-metrics.ts'
