import type { AttributeValue, Item } from '@hashrange/core'
import { useEffect, useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { useJob } from '../../../components/messages/job.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { plural } from '../../../values/format.ts'
import { baseKey, keyText } from '../keys/keys.ts'
import { commitEdits, reversed } from './commit-edits.ts'
import { noEdits, stageEdit, type StagedEdits, type StagedItem } from './staged-edits.ts'

export interface Staging {
  readonly edits: StagedEdits
  readonly stage: (row: Item, name: string, value: AttributeValue | undefined) => void
  /** Takes the last change back. */
  readonly undo: () => void
  readonly discard: () => void
  readonly commit: () => Promise<void>
  readonly job: ReturnType<typeof useJob>
  /** Items that somebody else has changed: they were not written. */
  readonly conflicts: readonly StagedItem[]
  /** Gives up the changes of these. */
  readonly drop: (items: readonly StagedItem[]) => void
}

/** Every step, the newest last. They outlast the view: whoever looks at another table meanwhile finds them again. */
const histories = new Map<string, readonly StagedEdits[]>()
const mostSteps = 200

/** Changes of the grid that are collected until they are written together. */
export function useStagedEdits(table: TableDescription, onChanged: () => void): Staging {
  const call = useCall()
  const job = useJob()
  const [history, setHistory] = useState(() => histories.get(table.TableArn) ?? [])
  const [conflicts, setConflicts] = useState<readonly StagedItem[]>([])
  const edits = history.at(-1) ?? noEdits
  const become = (next: readonly StagedEdits[]): void => {
    histories.set(table.TableArn, next)
    setHistory(next)
  }
  const isDirty = edits.size > 0
  useEffect(() => {
    if (!isDirty) return undefined
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])

  const without = (items: readonly StagedItem[]): StagedEdits => {
    const rest = new Map(edits)
    for (const { loaded } of items) rest.delete(keyText(baseKey(table, loaded)))
    return rest
  }
  const settle = (rest: StagedEdits): void => become(rest.size === 0 ? [] : [rest])
  const takeBack = async (written: readonly StagedItem[]): Promise<void> => {
    const back = await commitEdits(call, table, reversed(written), new AbortController().signal, () => undefined)
    onChanged()
    if (back.error !== undefined) throw back.error
    tell(`${plural(back.written.length, 'item')} restored`, {
      ...(back.conflicts.length > 0 && {
        description: `${plural(back.conflicts.length, 'item was', 'items were')} changed again since, and not touched.`,
      }),
    })
  }
  const commit = async (): Promise<void> => {
    setConflicts([])
    await job.run(async (signal, report) => {
      const outcome = await commitEdits(call, table, [...edits.values()], signal, report)
      if (outcome.written.length > 0) {
        settle(without(outcome.written))
        tell(`${plural(outcome.written.length, 'item')} saved`, { undo: () => takeBack(outcome.written) })
        onChanged()
      }
      setConflicts(outcome.conflicts)
      if (outcome.error !== undefined) throw outcome.error
    })
  }
  return {
    edits,
    stage: (row, name, value) => {
      const next = stageEdit(edits, table, row, name, value)
      become([...history, next].slice(-mostSteps))
    },
    undo: () => become(history.slice(0, -1)),
    discard: () => {
      setConflicts([])
      become([])
    },
    commit,
    job,
    conflicts,
    drop: (items) => {
      setConflicts([])
      settle(without(items))
      onChanged()
    },
  }
}
