import type { Logger } from '@hashrange/server'

/** Nothing failed, but somebody should know. */
export function tellOfClocks(logger: Logger): (sentence: string) => void {
  return (sentence) => logger.error(`hashrange: ${sentence}`)
}
