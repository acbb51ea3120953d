import { Tabs as Base } from '@base-ui/react/tabs'
import { useEffect, useRef, type ReactNode } from 'react'
import './tabs.css'

export interface TabsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly tabs: readonly { readonly value: Value; readonly label: ReactNode; readonly content: ReactNode }[]
}

/** Only the chosen tab's content is there. Where there is no room for all tabs they are scrolled, and the chosen one is in sight. */
export function Tabs<Value extends string>({ label, value, onChange, tabs }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    if (element === null) return undefined
    const show = (): void => {
      const chosen = element.querySelector<HTMLElement>('[aria-selected="true"]')
      if (chosen === null || element.scrollWidth <= element.clientWidth) return
      // By hand: `scrollIntoView` would move the page as well.
      element.scrollLeft = chosen.offsetLeft + chosen.offsetWidth / 2 - element.clientWidth / 2
    }
    const watch = new ResizeObserver(show)
    watch.observe(element)
    return () => watch.disconnect()
  }, [value, tabs.length])
  return (
    <Base.Root className="tabs" value={value} onValueChange={(next: Value) => onChange(next)}>
      <Base.List ref={list} className="tabs-list" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="tab-panel">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
