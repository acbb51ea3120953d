import type { KeyboardEvent } from 'react'

/** Up and down through the rows of a panel, left and right to the panel beside it. */
export function walkRows(event: KeyboardEvent<HTMLDivElement>): void {
  const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-row]') : null
  if (row === null) return
  const panel = row.closest('.collections-panel')
  const rowsIn = (element: Element | null | undefined): HTMLElement[] => [
    ...(element?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
  ]
  const own = rowsIn(panel)
  const at = own.indexOf(row)
  const beside = event.key === 'ArrowRight' ? panel?.nextElementSibling : panel?.previousElementSibling
  const next =
    event.key === 'ArrowDown'
      ? own[at + 1]
      : event.key === 'ArrowUp'
        ? own[at - 1]
        : event.key === 'Home'
          ? own[0]
          : event.key === 'End'
            ? own.at(-1)
            : event.key === 'ArrowLeft' || event.key === 'ArrowRight'
              ? (rowsIn(beside)[at] ?? rowsIn(beside).at(-1))
              : undefined
  if (next === undefined) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
