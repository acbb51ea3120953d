import type { Logger } from '@hashrange/server'

/** Nothing failed, but somebody should know. */
export function logClockMessages(logger: Logger): (sentence: string) => void {
  return (sentence) => logger.error(`hashrange: ${sentence}`)
}
