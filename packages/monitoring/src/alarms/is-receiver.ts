/** Of the actions that are no policies, only these are called. */
export function isReceiver(action: string): boolean {
  return /^https?:\/\//i.test(action)
}
