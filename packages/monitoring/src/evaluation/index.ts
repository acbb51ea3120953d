export { evaluateAlarms } from './evaluate-alarms.ts'
export { forgetOld } from './forget-old.ts'
export { watchMetrics } from './watch-metrics.ts'
