/** Of the actions that are not policies, only these are called. */
export function isReceiver(action: string): boolean {
  return /^https?:\/\//i.test(action)
}
