import { useSyncExternalStore } from 'react'
import { Listeners } from '../state/listeners.ts'
import { recall, remember } from '../state/memory.ts'
import { tellRecovered } from './connection.ts'

// The secret that opens the API. It stands in the address that hashrange prints when it starts (`…/_workbench/#token=…`), and the browser keeps it
// for this origin, so that reloads, bookmarks and other tabs work. A cookie would be sent to every other port of this machine as well.

const listeners = new Listeners()
const tokenListeners = new Listeners()
let token = ''
let isLocked = true

/** Takes the token from the address, or the one that the browser has kept. The page calls it before anything else. */
export function openAccess(): void {
  enter(takeFromAddress() ?? recall('token') ?? '')
  isLocked = token === ''
  // An address that is pasted into this tab, or opened in another one, after hashrange was started again.
  window.addEventListener('hashchange', () => enter(takeFromAddress()))
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'hashrange.token' && newValue !== null) enter(newValue)
  })
}

export function accessToken(): string {
  return token
}

/** Whether hashrange does not accept the token, or there is none. */
export function isAccessLocked(): boolean {
  return isLocked
}

export function useIsLocked(): boolean {
  return useSyncExternalStore(listeners.subscribe, isAccessLocked)
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
  remember('token', token)
  tokenListeners.notify()
}

/** hashrange has answered a request with this token: it is the right one, or it is not. */
export function accessAnswered(sent: string, isRight: boolean): void {
  // A response to a request with an older token says nothing about this one.
  if (sent !== token || isLocked === !isRight) return
  isLocked = !isRight
  listeners.notify()
  if (isRight) tellRecovered()
}

function tokenIn(text: string): string {
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
