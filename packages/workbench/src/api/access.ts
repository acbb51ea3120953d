import { useSyncExternalStore } from 'react'
import { Listeners } from '../state/listeners.ts'
import { recall, remember } from '../state/memory.ts'
import { tellRecovered } from './connection.ts'

// What opens the API, and is sent with each request. On an open server it is the token in the address that hashrange prints when it starts (`…/_workbench/#token=…`);
// a cookie would be sent to every other port of this machine as well. On a closed one it is the proof of a session, which is worth nothing without the cookie that came
// with it. The browser keeps either for this origin, so that reloads, bookmarks and other tabs work.

/** Whether people sign in here. Tests without a browser have no document. */
export const isClosed =
  typeof document !== 'undefined' &&
  document.querySelector<HTMLMetaElement>('meta[name="hashrange-access"]')?.content === 'closed'

const keptAs = isClosed ? 'session' : 'token'
const listeners = new Listeners()
const tokenListeners = new Listeners()
let token = ''
let isLocked = true
let reason: string | undefined
let addressToken: string | undefined

/** Takes the token from the address, or what the browser has kept. The page calls it before anything else. */
export function openAccess(): void {
  const found = takeFromAddress()
  // On a closed server, a token signs in, and is not kept.
  if (isClosed) addressToken = found
  else enter(found)
  if (token === '') enter(recall(keptAs) ?? '')
  isLocked = token === ''
  // An address that is pasted into this tab, or opened in another one, after hashrange was started again.
  window.addEventListener('hashchange', () => {
    const pasted = takeFromAddress()
    if (pasted === undefined) return
    if (isClosed) {
      addressToken = pasted
      listeners.notify()
    } else enter(pasted)
  })
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === `hashrange.${keptAs}` && newValue !== null) enter(newValue)
  })
}

export function accessToken(): string {
  return token
}

/** A token in the address of a closed server: whoever opens it wants to sign in with it. It is given out once. */
export function takeAddressToken(): string | undefined {
  const taken = addressToken
  addressToken = undefined
  return taken
}

/** Whether hashrange does not accept the token, or there is none. */
export function isAccessLocked(): boolean {
  return isLocked
}

export function useIsLocked(): boolean {
  return useSyncExternalStore(listeners.subscribe, () => isLocked || addressToken !== undefined)
}

/** In hashrange's words, why it does not accept it any more. */
export function lockReason(): string | undefined {
  return reason
}

/** Calls back when another token was entered. */
export function onToken(listener: () => void): () => void {
  return tokenListeners.subscribe(listener)
}

/** Takes a token, or an address that ends in one. Whether it is the right one becomes clear with the next request. */
export function enter(text: string | undefined): void {
  const entered = tokenIn(text ?? '')
  if (entered === '' || entered === token) return
  token = entered
  remember(keptAs, token)
  tokenListeners.notify()
}

/** Forgets what opens the API, in this tab and for those to come. */
export function leave(): void {
  token = ''
  remember(keptAs, null)
}

/** hashrange has answered a request with this token: it is the right one, or it is not. */
export function accessAnswered(sent: string, isRight: boolean, why?: string): void {
  // A response to a request with an older token says nothing about this one.
  if (sent !== token || isLocked === !isRight) return
  isLocked = !isRight
  reason = why
  listeners.notify()
  if (isRight) tellRecovered()
}

export function tokenIn(text: string): string {
  return (/[#?&]token=([^&#]*)/.exec(text)?.[1] ?? text).trim()
}

/** The token of the address. It does not stay there, where it would be seen, copied and kept in the history. */
function takeFromAddress(): string | undefined {
  const { hash, search, pathname } = window.location
  const query = new URLSearchParams(search)
  const found = new URLSearchParams(hash.slice(1)).get('token') ?? query.get('token')
  if (found === null) return undefined
  query.delete('token')
  const rest = query.toString()
  window.history.replaceState(window.history.state, '', `${pathname}${rest === '' ? '' : `?${rest}`}`)
  return found
}
