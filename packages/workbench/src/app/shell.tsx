import { Moon, Search, Sun } from '../icons/icons.generated.ts'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link, Redirect } from 'wouter'
import type { WorkbenchInfo } from '../api-types.ts'
import { useCommands, type Command } from '../commands/commands.ts'
import { Palette } from '../commands/palette.tsx'
import { ShortcutSheet } from '../commands/shortcut-sheet.tsx'
import { useShortcuts } from '../commands/shortcuts.ts'
import { Badge } from '../components/values/badge.tsx'
import { IconButton } from '../components/controls/button.tsx'
import { Keys } from '../components/controls/keys.tsx'
import { EmptyState, Skeleton } from '../components/messages/notices.tsx'
import { pathParts, useFullPath } from '../state/address.ts'
import { useConnection } from '../api/queries.ts'
import { connectionStyle } from '../values/connection-colour.ts'
import { useGo, useLink } from '../state/links.ts'
import { chooseTheme, useTheme } from '../state/theme.ts'
import { Boundary } from './boundary.tsx'
import { ConnectionMark, ConnectionStripe } from './connections/connection-stripe.tsx'
import { costsToRead, NotHere, whyNotHere } from './connections/not-here.tsx'
import { ScopePicker } from './scope-picker.tsx'
import { TablePicker } from './table-picker.tsx'
import { views } from '../views/views.tsx'
import './shell.css'

/** Only closed servers have it. */
const IdentityMenu = lazy(() => import('./identity/identity-menu.tsx'))

/** Only AWS charges for what is read. */
const CostGate = lazy(() => import('./connections/cost-gate.tsx'))

/** What stands around every view: navigation, the bar with scope and table, the palette, the shortcuts. */
export function Shell({ info }: { readonly info: WorkbenchInfo }) {
  const { view, table } = useRoute()
  const theme = useTheme()
  const link = useLink()
  const connection = useConnection()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isSheetOpen, setSheetOpen] = useState(false)
  useShortcuts()
  useShellCommands({ openPalette: () => setPaletteOpen(true), openSheet: () => setSheetOpen(true) })
  useEffect(() => {
    document.title = [table, view?.title, connection?.name, 'hashrange']
      .filter((part) => part !== undefined)
      .join(' · ')
  }, [table, view, connection])
  const navigation = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On a phone there is no room for all of them.
    const current = navigation.current?.querySelector<HTMLElement>('[aria-current="page"]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [view])
  const Content = view?.component
  const isElsewhere = connection !== undefined
  const shownPlace = connection?.place ?? (info.hasDatabase ? (info.path ?? 'in memory') : 'no database of its own')
  const why = isElsewhere && view !== undefined ? whyNotHere(view) : undefined
  const isMetered = connection?.kind === 'aws' && view !== undefined && costsToRead(view)
  return (
    <div
      className={`shell ${isElsewhere ? `is-elsewhere is-${connection.kind}` : ''}`}
      style={isElsewhere ? connectionStyle(connection.colour) : undefined}
    >
      {isElsewhere && <ConnectionStripe connection={connection} />}
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <nav className="sidebar" aria-label="Views">
        <Link href={link('tables')} className="brand">
          <img src="/_workbench/icon.svg" alt="" width={22} height={22} />
          hashrange
        </Link>
        <ul ref={navigation}>
          {views.map((entry) => (
            <li key={entry.path}>
              <Link
                href={link(entry.path, entry.isOfTable && entry.path !== 'tables' ? table : undefined)}
                className={`nav-link ${isElsewhere && whyNotHere(entry) !== undefined ? 'is-not-here' : ''}`}
                aria-current={entry === view ? 'page' : undefined}
                title={isElsewhere ? whyNotHere(entry) : undefined}
              >
                {entry.icon}
                {entry.title}
              </Link>
            </li>
          ))}
        </ul>
        <div className="grow" />
        <p className="sidebar-foot">
          {shownPlace}
          {shownPlace !== '' && <br />}
          version {info.version}
        </p>
      </nav>
      <header className="topbar">
        <ScopePicker info={info} />
        <TablePicker table={table} view={view} />
        {connection !== undefined && <ConnectionMark connection={connection} />}
        {info.readOnly && <Badge tone="warning">read-only</Badge>}
        <div className="grow" />
        <button type="button" className="search-button" onClick={() => setPaletteOpen(true)}>
          <Search aria-hidden />
          <span className="grow">Search and commands</span>
          <Keys keys="Mod+K" />
        </button>
        <IconButton
          label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          icon={theme === 'dark' ? <Sun /> : <Moon />}
          onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
        />
        {info.signedIn !== undefined && (
          <Suspense fallback={null}>
            <IdentityMenu signedIn={info.signedIn} />
          </Suspense>
        )}
      </header>
      <main id="content" className="content" tabIndex={-1}>
        <Boundary key={`${connection?.name ?? ''}/${view?.path ?? ''}/${table ?? ''}`}>
          <Suspense
            fallback={
              <div className="loading">
                <Skeleton lines={6} />
              </div>
            }
          >
            {view === undefined || Content === undefined ? (
              <NoView />
            ) : why !== undefined ? (
              <NotHere view={view}>{why}</NotHere>
            ) : isMetered && table !== undefined ? (
              <CostGate view={view} table={table}>
                <Content table={table} />
              </CostGate>
            ) : (
              <Content table={table} />
            )}
          </Suspense>
        </Boundary>
      </main>
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
      <ShortcutSheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  )
}

/** `/<view>/<table>`. */
function useRoute() {
  const [path, table] = pathParts(useFullPath())
  return { path, view: views.find((view) => view.path === path), table }
}

function NoView() {
  const { path } = useRoute()
  const link = useLink()
  if (path === undefined) return <Redirect to={link('tables')} replace />
  return (
    <EmptyState
      icon={<Search />}
      title="View not found"
      actions={<Link href={link('tables')}>Go to the tables</Link>}
    >
      This version of the workbench has no view at this address.
    </EmptyState>
  )
}

function useShellCommands({
  openPalette,
  openSheet,
}: {
  readonly openPalette: () => void
  readonly openSheet: () => void
}) {
  const go = useGo()
  const { table } = useRoute()
  const commands = useMemo<Command[]>(
    () => [
      ...views.map(({ path, title, key, isOfTable }) => ({
        id: `go:${path}`,
        title: `Go to ${title}`,
        group: 'Views',
        shortcut: `G ${key}`,
        run: () => go(path, isOfTable && path !== 'tables' ? table : undefined),
      })),
      {
        id: 'palette',
        title: 'Command palette',
        group: 'General',
        shortcut: 'Mod+K',
        isHidden: true,
        run: openPalette,
      },
      { id: 'shortcuts', title: 'Keyboard shortcuts', group: 'General', shortcut: '?', run: openSheet },
      { id: 'theme:light', title: 'Use the light theme', group: 'Appearance', run: () => chooseTheme('light') },
      { id: 'theme:dark', title: 'Use the dark theme', group: 'Appearance', run: () => chooseTheme('dark') },
      {
        id: 'theme:system',
        title: 'Use the system theme',
        group: 'Appearance',
        run: () => chooseTheme('system'),
      },
    ],
    // The two openers only set state.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [go, table],
  )
  useCommands(commands)
}
