import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useTableNames } from '../../api/queries.ts'
import { EmptyState, ErrorBox } from '../messages/notices.tsx'
import { OpenByName } from './open-by-name.tsx'
import { Page } from './page.tsx'
import { useLink } from '../../state/links.ts'
import './choose-table.css'

const mostShown = 24

/** What a view of one table shows while none is chosen. */
export function ChooseTable({
  view,
  title,
  icon,
  children,
}: {
  readonly view: string
  readonly title: string
  readonly icon: ReactNode
  readonly children: ReactNode
}) {
  const { data, error } = useTableNames()
  const names = data ?? []
  const link = useLink()
  if (error !== null) {
    return (
      <Page title={title}>
        <div className="stack">
          <ErrorBox error={error} />
          <OpenByName view={view} />
        </div>
      </Page>
    )
  }
  return (
    <Page title={title}>
      <EmptyState
        icon={icon}
        title={names.length === 0 ? 'There are no tables yet' : 'Choose a table'}
        actions={
          names.length === 0 ? (
            <Link href={link('tables')}>Create a table</Link>
          ) : (
            <ul className="choose-table" aria-label="Tables">
              {names.slice(0, mostShown).map((name) => (
                <li key={name}>
                  <Link href={link(view, name)}>{name}</Link>
                </li>
              ))}
              {names.length > mostShown && <li className="muted">More tables are in the list above</li>}
            </ul>
          )
        }
      >
        {children}
      </EmptyState>
    </Page>
  )
}
