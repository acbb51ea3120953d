import { ListTree, Plus, Trash2 } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import { useCall, useRefresh } from '../../../api/queries.ts'
import { isOnDemand, sourcesOf, type Source } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { Badge, StatusBadge } from '../../../components/values/badge.tsx'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { confirm } from '../../../components/dialogs/confirm.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { EmptyState, ErrorBox } from '../../../components/messages/notices.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { tell, tellError } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { formatBytes, formatCount } from '../../../values/format.ts'
import { IndexFields } from '../create/index-fields.tsx'
import { addIndexInput, emptyIndex, emptyKey, indexProblems } from '../create/table-draft.ts'
import { recreateIndexInput } from './recreate-index-input.ts'
import { KeyLine } from './key-line.tsx'
import '../../../components/page/plain-table.css'
import '../create/create-table.css'

export function Indexes({ table, isReadOnly }: { readonly table: TableDescription; readonly isReadOnly: boolean }) {
  const [isAdding, setAdding] = useState(false)
  const remove = useDeleteIndex(table)
  const indexes = sourcesOf(table).filter(({ kind }) => kind !== 'table')
  const add = isReadOnly ? undefined : (
    <Button icon={<Plus />} onClick={() => setAdding(true)}>
      Add global index
    </Button>
  )
  return (
    <div className="detail">
      {indexes.length === 0 ? (
        <EmptyState icon={<ListTree />} title="No indexes" actions={add}>
          An index holds the same items under another key, and is kept up to date automatically. Add one for an
          access pattern that the table’s key does not support.
        </EmptyState>
      ) : (
        <Panel title="Indexes" actions={add} hint="The same items under other keys">
          <ScrollRegion label="Indexes">
            <table className="plain-table">
              <thead>
                <tr>
                  <th>Index</th>
                  <th>Key</th>
                  <th>Projection</th>
                  <th>Status</th>
                  <th className="is-end">Items</th>
                  <th className="is-end">Size</th>
                  <th>
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {indexes.map((index) => (
                  <tr key={index.indexName}>
                    <td>
                      <span className="plain-name">{index.indexName}</span> <Badge>{index.kind}</Badge>
                    </td>
                    <td>
                      <KeyLine table={table} keys={index.keys} />
                    </td>
                    <td>{projectionText(index)}</td>
                    <td>
                      <StatusBadge status={index.status} />
                    </td>
                    <td className="is-end number">{formatCount(index.itemCount)}</td>
                    <td className="is-end number">{formatBytes(index.sizeBytes)}</td>
                    <td className="is-end">
                      {!isReadOnly && index.kind === 'global' && (
                        <IconButton
                          label={`Delete index ${index.indexName ?? ''}`}
                          icon={<Trash2 />}
                          onClick={() => remove(index)}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </Panel>
      )}
      {isAdding && <AddIndex table={table} onClose={() => setAdding(false)} />}
    </div>
  )
}

function AddIndex({ table, onClose }: { readonly table: TableDescription; readonly onClose: () => void }) {
  const [index, setIndex] = useState(emptyIndex(1, 'global'))
  const [isTried, setTried] = useState(false)
  const { attempt, isBusy, error } = useAttempt()
  const call = useCall()
  const refresh = useRefresh()
  const billing = isOnDemand(table) ? 'PAY_PER_REQUEST' : 'PROVISIONED'
  const problems = indexProblems(index, { billing, sortKey: emptyKey })
  const submit = (): void => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    void attempt(async () => {
      await call('UpdateTable', addIndexInput(table.TableName, table.AttributeDefinitions, index, billing))
      await refresh()
      tell(`Building index ${index.name}`, { description: 'You can query it as soon as it is active.' })
      onClose()
    })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="drawer"
      title="Add a global index"
      description="Existing items are added to the index while the table stays in use."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} onClick={submit}>
            Add index
          </Button>
        </>
      }
    >
      <div className="stack">
        {error !== undefined && <ErrorBox error={error} />}
        <IndexFields index={index} onChange={setIndex} billing={billing} problems={isTried ? problems : {}} />
      </div>
    </Dialog>
  )
}

function useDeleteIndex(table: TableDescription): (index: Source) => void {
  const call = useCall()
  const refresh = useRefresh()
  return ({ indexName = '' }) => {
    const work = async (): Promise<void> => {
      const isSure = await confirm({
        title: `Delete the index ${indexName}?`,
        body: 'Queries that use it will fail. The items stay in the table, and you can create the index again.',
        action: 'Delete index',
        tone: 'danger',
      })
      if (!isSure) return
      await call('UpdateTable', {
        TableName: table.TableName,
        GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: indexName } }],
      })
      await refresh()
      tell(`Deleted index ${indexName}`, { undo: () => buildAgain(indexName) })
    }
    const buildAgain = async (name: string): Promise<void> => {
      const input = recreateIndexInput(table, name)
      if (input === undefined) return
      await call('UpdateTable', input)
      await refresh()
      tell(`Building index ${name} again`)
    }
    work().catch(tellError)
  }
}

function projectionText({ projection }: Source): string {
  if (projection?.ProjectionType === 'INCLUDE') return `keys, ${(projection.NonKeyAttributes ?? []).join(', ')}`
  return projection?.ProjectionType === 'KEYS_ONLY' ? 'keys only' : 'all attributes'
}
