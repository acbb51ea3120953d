import { attributeOf, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import { Check, ChevronsDown, Play, Square, StepForward } from '../../../icons/icons.generated.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { TableDescription } from '../../../api-types.ts'
import { Badge } from '../../../components/values/badge.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { DataGrid } from '../../../components/grid/data-grid.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { EmptyState, ErrorBox, Notice, Skeleton } from '../../../components/messages/notices.tsx'
import { ExportMenu } from '../../../components/values/export-menu.tsx'
import { ItemView } from '../../../components/values/value-view.tsx'
import { useLink } from '../../../state/links.ts'
import { entityOf, entityStyle } from '../../../values/entity-colour.ts'
import { formatBytes, formatCount, plural } from '../../../values/format.ts'
import { toDynamoDbJson, toPlainJson } from '../../../values/item-json.ts'
import { itemColumns } from './item-columns.tsx'
import type { KeyShape } from '../draft/key-schema.ts'
import { mostBytes, mostItems, type RunState } from '../run/query-run.ts'
import { RunFacts } from './run-facts.tsx'
import './results-pane.css'

export interface ResultsPaneProps {
  readonly state: RunState
  /** Whose items they are, where that is known. */
  readonly table?: TableDescription | undefined
  readonly keyShape: KeyShape | undefined
  readonly region: string
  readonly isWhole: boolean
  readonly isConsistent: boolean
  readonly callsPerSecond: number
  readonly onCallsPerSecond: (calls: number) => void
  /** Of a statement that writes: it returns nothing, as it should. */
  readonly isWrite?: boolean
  /** Whether the query was changed since. */
  readonly isStale: boolean
  readonly onMore: (() => void) | undefined
  readonly onAll: (() => void) | undefined
  readonly onCancel: (() => void) | undefined
  /** What stands here before anything was run. */
  readonly empty: ReactNode
}

/** What a query returned, and what it took. */
export function ResultsPane(props: ResultsPaneProps) {
  const { state, keyShape, onMore, onAll, onCancel } = props
  const { items, status, hasMore } = state
  const link = useLink()
  const [opened, setOpened] = useState<Item | undefined>(undefined)
  // New columns come with new rows; the grid measures them by the first ones.
  const columns = useMemo(() => itemColumns(items, keyShape), [items, keyShape])
  if (status === 'idle') return props.empty
  const isRunning = status === 'running'
  if (status === 'failed' && state.pages.length === 0) {
    return (
      <div className="results-failed">
        <ErrorBox error={state.error} />
      </div>
    )
  }
  return (
    <div className="results">
      <RunFacts {...props} />
      {props.isStale && !isRunning && (
        <p className="results-stale">
          <Badge tone="warning">changed</Badge> The query has changed since. These are the results of the earlier
          one.
        </p>
      )}
      {state.error !== undefined && status === 'failed' && (
        <div className="results-notice">
          <ErrorBox error={state.error} />
        </div>
      )}
      {state.isFull && (
        <div className="results-notice">
          <Notice
            title={`Stopped after ${plural(items.length, 'item')}`}
            actions={
              props.table !== undefined && <Link href={link('items', props.table.TableName)}>Open in Items</Link>
            }
          >
            A page holds up to {formatCount(mostItems)} items or {formatBytes(mostBytes)}. Narrow the query down,
            browse all of them in Items, or export the table there.
          </Notice>
        </div>
      )}
      {items.length === 0 && isRunning ? (
        <div className="loading">
          <Skeleton lines={5} />
        </div>
      ) : items.length === 0 && status === 'failed' ? null : (
        <DataGrid
          label="Results"
          columns={columns}
          rowCount={items.length}
          rowAt={(index) => items[index]}
          rowKey={(item) => JSON.stringify(keyShape?.partition.map(({ name }) => attributeOf(item, name)) ?? item)}
          onOpen={(item) => setOpened(item)}
          rowStyle={rowStyle}
          rowClass={(item) => (entityOf(item) === undefined ? undefined : 'results-entity')}
          empty={<NoItems state={state} isWrite={props.isWrite === true} />}
        />
      )}
      <footer className="results-foot">
        {isRunning ? (
          <>
            <span role="status">
              Reading … <span className="number">{formatCount(items.length)}</span> items
            </span>
            <span className="grow" />
            <Button onClick={onCancel}>Cancel</Button>
          </>
        ) : (
          <>
            <span role="status">
              {plural(items.length, 'item')}
              {status === 'cancelled' ? ', cancelled' : hasMore ? ', and there is more to read' : ''}
            </span>
            <span className="grow" />
            {hasMore && !state.isFull && (
              <>
                <Button icon={<StepForward />} onClick={onMore}>
                  Next page
                </Button>
                <Button icon={<ChevronsDown />} onClick={onAll}>
                  Read all
                </Button>
              </>
            )}
            {items.length > 0 && (
              <ExportMenu
                items={() => items}
                fileName={props.table?.TableName ?? 'result'}
                first={
                  keyShape === undefined
                    ? undefined
                    : [...keyShape.partition, ...keyShape.sort].map(({ name }) => name)
                }
              />
            )}
          </>
        )}
      </footer>
      {opened !== undefined && (
        <OpenedItem item={opened} table={props.table} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}

function rowStyle(item: Item) {
  const entity = entityOf(item)
  return entity === undefined ? undefined : entityStyle(entity)
}

function NoItems({ state, isWrite }: { readonly state: RunState; readonly isWrite: boolean }) {
  const scanned = state.pages.reduce((sum, { scannedCount }) => sum + (scannedCount ?? 0), 0)
  if (isWrite) {
    return (
      <EmptyState icon={<Check />} title="Written">
        The statement was carried out. With RETURNING ALL NEW * an UPDATE shows what it made.
      </EmptyState>
    )
  }
  if (state.pages.length === 0) {
    return (
      <EmptyState icon={<Square />} title="Cancelled">
        It was stopped before any results arrived. The request may still have been processed and charged.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<Play />} title="No items">
      {scanned > 0
        ? `None of the ${formatCount(scanned)} items that were read matches the filter.`
        : 'No item has this key. Keys must match exactly: check upper and lower case, separators and spaces.'}
      {state.hasMore && ' There is more to read: load the next page.'}
    </EmptyState>
  )
}

function OpenedItem({
  item,
  table,
  onClose,
}: {
  readonly item: Item
  readonly table: TableDescription | undefined
  readonly onClose: () => void
}) {
  const link = useLink()
  const key = table === undefined ? undefined : baseKeyOf(item, table)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="drawer"
      title={entityOf(item) ?? 'Item'}
      actions={
        <>
          {key !== undefined && (
            <Link href={link('items', table?.TableName, { item: JSON.stringify(key) })}>Open in Items</Link>
          )}
          <span className="grow" />
          <CopyButton label="Copy as JSON" text={() => toPlainJson(item)} />
          <CopyButton label="Copy as DynamoDB JSON" text={() => toDynamoDbJson(item)} />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <ItemView item={item} />
    </Dialog>
  )
}

/** Undefined if a projection has left out a part of it. */
function baseKeyOf(item: Item, table: TableDescription): Item | undefined {
  const key: Record<string, AttributeValue> = {}
  for (const { AttributeName } of table.KeySchema) {
    const value = attributeOf(item, AttributeName)
    if (value === undefined) return undefined
    setAttribute(key, AttributeName, value)
  }
  return key
}
