import { Bookmark, History } from '../../icons/icons.generated.ts'
import { useCallback, useState, type ReactNode } from 'react'
import { Button } from '../../components/controls/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { tell } from '../../components/messages/toast.tsx'
import { KeptDrawer } from './kept/kept-drawer.tsx'
import type { KeptQuery } from './kept/query-library.ts'
import { SaveDialog } from './kept/save-dialog.tsx'
import { useDeskCommands } from './use-desk-commands.ts'
import { useKeptQueries } from './kept/use-kept-queries.ts'

export interface DeskPageProps<Tab extends string> {
  readonly view: KeptQuery['view']
  readonly title: string
  readonly aside?: ReactNode
  /** What is run and saved here: `query`, `statements`. */
  readonly subject: string
  /** Whose queries are shown first. */
  readonly table: string | undefined
  /** The name under which it would be saved. */
  readonly suggestion: string
  readonly onRun: () => void
  /** The ways to view the results. */
  readonly tabs: readonly Tab[]
  readonly onTab: (tab: Tab) => void
  readonly children: ReactNode
}

/** The frame of a view that makes queries: they are run, saved, and opened again. */
export function DeskPage<Tab extends string>(props: DeskPageProps<Tab>) {
  const { view, title, subject, table, tabs, onRun, onTab } = props
  const [drawer, setDrawer] = useState<'saved' | 'history' | undefined>(undefined)
  const [isSaving, setSaving] = useState(false)
  const { keep } = useKeptQueries()
  const save = useCallback(() => setSaving(true), [])
  useDeskCommands({ view, title, subject, tabs, onRun, onSave: save, onKept: setDrawer, onTab })
  return (
    <Page
      title={title}
      aside={props.aside}
      layout="fill"
      actions={
        <>
          <Button icon={<Bookmark />} onClick={save}>
            Save
          </Button>
          <Button icon={<History />} onClick={() => setDrawer('history')}>
            Saved and history
          </Button>
        </>
      }
    >
      {props.children}
      {drawer !== undefined && (
        <KeptDrawer isOpen first={drawer} table={table} onClose={() => setDrawer(undefined)} />
      )}
      {isSaving && (
        <SaveDialog
          suggestion={props.suggestion}
          onSave={(name) => {
            keep('saved', view, table ?? '', name)
            tell(`Saved “${name}”`)
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </Page>
  )
}
