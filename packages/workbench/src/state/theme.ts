import { useSyncExternalStore } from 'react'
import { Listeners } from './listeners.ts'
import { recall, remember } from './memory.ts'

export type Theme = 'light' | 'dark'
export type ThemeChoice = Theme | 'system'

const listeners = new Listeners()
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')
systemDark.addEventListener('change', apply)

/** The theme that is shown. */
export function useTheme(): Theme {
  return useSyncExternalStore(listeners.subscribe, shownTheme)
}

export function chooseTheme(choice: ThemeChoice): void {
  remember('theme', choice === 'system' ? null : choice)
  apply()
}

function themeChoice(): ThemeChoice {
  const kept = recall('theme')
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

function shownTheme(): Theme {
  const choice = themeChoice()
  return choice === 'system' ? (systemDark.matches ? 'dark' : 'light') : choice
}

function apply(): void {
  document.documentElement.dataset['theme'] = shownTheme()
  listeners.notify()
}
