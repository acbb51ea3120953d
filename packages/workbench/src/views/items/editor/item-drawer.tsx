import { typeOf, type AttributeType, type Item } from '@hashrange/core'
import { useQuery } from '@tanstack/react-query'
import { Copy, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState, type KeyboardEvent } from 'react'
import { useCall, useInfo } from '../../../api/queries.ts'
import { schemaKeys, typeOfKey } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { EntityChip } from '../../../components/values/badge.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { CodeEditor, type EditorProblem } from '../../../components/code/code-editor.tsx'
import { confirm } from '../../../components/dialogs/confirm.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { ErrorBox, Notice, Skeleton } from '../../../components/messages/notices.tsx'
import { Tabs } from '../../../components/controls/tabs.tsx'
import { tell, tellError } from '../../../components/messages/toast.tsx'
import { checkItem } from '../write/check-item.ts'
import { deleteItem } from '../write/delete-items.ts'
import { baseKey, keyText, keyWords } from '../keys/keys.ts'
import { changesBetween, saveItem } from '../write/save-item.ts'
import { Conflict } from './conflict.tsx'
import { CostBar } from './cost-bar.tsx'
import { editorState, readEditor, type EditorForm, type EditorState } from './editor-state.ts'
import { FormEditor } from './form-editor.tsx'
import { Places } from './places.tsx'
import './item-drawer.css'

export interface ItemDrawerProps {
  readonly table: TableDescription
  /** The key of an item that exists, or what a new one begins with. */
  readonly target: { readonly kind: 'edit'; readonly key: Item } | { readonly kind: 'new'; readonly item: Item }
  readonly entityName: (item: Item) => string | undefined
  readonly entityNames: readonly string[]
  readonly onClose: () => void
  /** After something was written. */
  readonly onChanged: () => void
  readonly onDuplicate: (item: Item) => void
}

/** One item, to look at and to edit. */
export function ItemDrawer(props: ItemDrawerProps) {
  const { table, target, onClose } = props
  const call = useCall()
  const isNew = target.kind === 'new'
  const key = target.kind === 'edit' ? target.key : undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['item', table.TableArn, key === undefined ? '' : keyText(key)],
    enabled: key !== undefined,
    gcTime: 0,
    // What is being edited is as it was loaded, until it is saved.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const input = { TableName: table.TableName, Key: key, ConsistentRead: true }
      return (await call<{ Item?: Item }>('GetItem', input, signal)).Item ?? null
    },
  })
  if (target.kind === 'new') return <Editor {...props} loaded={undefined} start={target.item} />
  if (data !== undefined && data !== null)
    return <Editor key={keyText(target.key)} {...props} loaded={data} start={data} />
  return (
    <Dialog isOpen onClose={onClose} title={isNew ? 'New item' : keyWords(target.key)} shape="drawer">
      {error !== null ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : data === null ? (
        <Notice tone="warning" title="This item does not exist">
          It may have been deleted, or its time to live may have expired.
        </Notice>
      ) : (
        <Skeleton lines={6} />
      )}
    </Dialog>
  )
}

type Tab = EditorForm | 'places'

function Editor({
  table,
  target,
  loaded: loadedAtFirst,
  start,
  entityName,
  entityNames,
  onClose,
  onChanged,
  onDuplicate,
}: ItemDrawerProps & { readonly loaded: Item | undefined; readonly start: Item }) {
  const call = useCall()
  const isReadOnly = useInfo()?.readOnly ?? false
  const [loaded, setLoaded] = useState(loadedAtFirst)
  const [tab, setTab] = useState<Tab>('form')
  const [state, setState] = useState<EditorState>(() => editorState('form', start, [...keyTypes(table).keys()]))
  const [conflict, setConflict] = useState<{ theirs: Item | undefined; mine: Item } | undefined>()
  /** The form that was asked for while what is edited cannot be read. */
  const [wanted, setWanted] = useState<EditorForm | undefined>()
  const [isSaving, setSaving] = useState(false)
  const [saveError, setSaveError] = useState<unknown>()
  const result = useMemo(() => readEditor(state), [state])
  const [lastGood, setLastGood] = useState(start)
  useEffect(() => {
    if (result.item !== undefined) setLastGood(result.item)
  }, [result])
  const item = result.item ?? lastGood
  const isNew = loaded === undefined
  const problems = useMemo(
    () => (result.item === undefined ? [] : itemProblems(table, loaded, result.item)),
    [table, loaded, result],
  )
  const nameProblems = useMemo(
    () => new Map(problems.flatMap(({ name, message }) => (name === undefined ? [] : [[name, message]]))),
    [problems],
  )
  const changes = result.item === undefined ? undefined : changesBetween(loaded ?? {}, result.item).length
  const isDirty = changes === undefined || (isNew ? result.item !== start && changes > 0 : changes > 0)
  const canSave =
    !isReadOnly && result.item !== undefined && problems.length === 0 && isDirty && conflict === undefined
  const keys = useMemo(() => keyTypes(table), [table])

  const show = (next: Tab): void => {
    if (next === tab) return
    // What cannot be read cannot be shown in another form: it is put right, or given up, first.
    const isUnreadable = next !== 'places' && next !== state.form && result.item === undefined
    setWanted(isUnreadable ? next : undefined)
    if (isUnreadable) return setTab(state.form)
    if (next !== 'places' && next !== state.form && result.item !== undefined) {
      setState(editorState(next, result.item, [...keys.keys()]))
    }
    setTab(next)
  }
  const giveUp = (next: EditorForm): void => {
    setState(editorState(next, lastGood, [...keys.keys()]))
    setTab(next)
    setWanted(undefined)
  }
  const save = useCallback(async () => {
    if (result.item === undefined) return
    setSaving(true)
    setSaveError(undefined)
    try {
      const outcome = await saveItem(call, table, loaded, result.item)
      if (outcome.kind === 'conflict') return setConflict({ theirs: outcome.theirs, mine: result.item })
      tell(isNew ? 'Item created' : 'Item saved')
      onChanged()
      onClose()
    } catch (error) {
      setSaveError(error)
    } finally {
      setSaving(false)
    }
  }, [call, table, loaded, result, isNew, onChanged, onClose])
  const close = async (): Promise<void> => {
    const isHarmless = !isDirty || isReadOnly || (isNew && changes !== undefined && changes <= keys.size)
    const isSure =
      isHarmless ||
      (await confirm({
        title: 'Discard your changes?',
        body: 'Your changes have not been saved.',
        action: 'Discard',
        tone: 'danger',
      }))
    if (isSure) onClose()
  }
  const remove = async (): Promise<void> => {
    if (loaded === undefined) return
    try {
      await deleteItem(call, table, baseKey(table, loaded), onChanged)
      onChanged()
      onClose()
    } catch (error) {
      tellError(error)
    }
  }
  const press = (event: KeyboardEvent): void => {
    const isSave = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter')
    if (!isSave) return
    event.preventDefault()
    if (canSave) void save()
  }
  const check = (): readonly EditorProblem[] => editorProblems(state, result.textProblem, problems)
  const editorPx = Math.max(220, window.innerHeight - 300)
  const entity = entityName(item)
  const general = problems.filter(({ name }) => name === undefined || tab !== 'form')

  return (
    <Dialog
      isOpen
      onClose={() => void close()}
      title={target.kind === 'new' ? 'New item' : keyWords(target.key)}
      description={
        <span className="row">
          {entity !== undefined && <EntityChip name={entity} names={entityNames} />}
          <span>{table.TableName}</span>
        </span>
      }
      shape="drawer"
      actions={
        <>
          {loaded !== undefined && !isReadOnly && conflict === undefined && (
            <>
              <Button tone="quiet" icon={<Trash2 />} onClick={() => void remove()}>
                Delete
              </Button>
              <Button tone="quiet" icon={<Copy />} onClick={() => onDuplicate(item)}>
                Duplicate
              </Button>
            </>
          )}
          <span className="grow" />
          <Button onClick={() => void close()}>{isReadOnly ? 'Close' : 'Cancel'}</Button>
          {!isReadOnly && conflict === undefined && (
            <Button tone="primary" disabled={!canSave} isBusy={isSaving} onClick={() => void save()}>
              {isNew ? 'Create item' : 'Save changes'}
            </Button>
          )}
        </>
      }
    >
      {conflict !== undefined ? (
        <Conflict
          base={loaded ?? {}}
          theirs={conflict.theirs}
          mine={conflict.mine}
          isNew={isNew}
          onBack={() => setConflict(undefined)}
          onResolve={(resolved, theirs) => {
            setLoaded(theirs)
            setState(editorState(state.form, resolved, [...keys.keys()]))
            setConflict(undefined)
          }}
        />
      ) : (
        <div className="item-drawer" onKeyDown={press}>
          <Tabs
            label="View the item as"
            value={tab}
            onChange={show}
            tabs={[
              {
                value: 'form',
                label: 'Form',
                content: state.form === 'form' && (
                  <FormEditor
                    nodes={state.nodes}
                    onChange={(nodes) => setState({ form: 'form', nodes })}
                    problems={result.nodeProblems}
                    nameProblems={nameProblems}
                    keys={keys}
                    isKeyLocked={!isNew}
                    isReadOnly={isReadOnly}
                    isFresh={isNew}
                  />
                ),
              },
              ...textForms.map(({ value, label }) => ({
                value,
                label,
                content: state.form === value && (
                  <CodeEditor
                    label={`Item as ${label}`}
                    language="json"
                    heightPx={editorPx}
                    value={state.text}
                    isReadOnly={isReadOnly}
                    check={check}
                    onChange={(text) => setState({ ...state, text })}
                  />
                ),
              })),
              { value: 'places', label: 'Places', content: <Places table={table} item={item} /> },
            ]}
          />
          <div className="item-drawer-foot">
            {wanted !== undefined && result.item === undefined && (
              <Notice
                tone="warning"
                title={`Fix this first to view it as ${formNames[wanted]}`}
                actions={<Button onClick={() => giveUp(wanted)}>Discard invalid edits</Button>}
              >
                {result.textProblem?.message ?? result.nodeProblems[0]?.message}
              </Notice>
            )}
            {saveError !== undefined && <ErrorBox error={saveError} />}
            {result.textProblem !== undefined && wanted === undefined && (
              <p className="item-form-problem" role="alert">
                {result.textProblem.message}
              </p>
            )}
            {general.map(({ name, message }) => (
              <p key={`${name ?? ''} ${message}`} className="item-form-problem" role="alert">
                {message}
              </p>
            ))}
            <CostBar table={table} loaded={loaded} item={item} />
          </div>
        </div>
      )}
    </Dialog>
  )
}

const formNames: Readonly<Record<EditorForm, string>> = {
  form: 'a form',
  dynamodb: 'DynamoDB JSON',
  plain: 'JSON',
}

const textForms = [
  { value: 'dynamodb', label: 'DynamoDB JSON' },
  { value: 'plain', label: 'JSON' },
] as const

function keyTypes(table: TableDescription): ReadonlyMap<string, AttributeType> {
  const { partition, sort } = schemaKeys(table.KeySchema)
  return new Map([...partition, ...sort].map((name) => [name, typeOfKey(table, name)]))
}

function itemProblems(table: TableDescription, loaded: Item | undefined, item: Item) {
  const problems = [...checkItem(table, item)]
  for (const name of loaded === undefined ? [] : keyTypes(table).keys()) {
    const before = loaded?.[name]
    const after = Object.hasOwn(item, name) ? item[name] : undefined
    if (before === undefined || after === undefined) continue
    if (typeOf(before) === typeOf(after) && JSON.stringify(before) !== JSON.stringify(after)) {
      problems.push({ name, message: `You cannot change the key ${name} of an item. Duplicate the item instead.` })
    }
  }
  return problems
}

/** In the text: the place of a mistake, or the name of the attribute that a problem is about. */
function editorProblems(
  state: EditorState,
  mistake: ReturnType<typeof readEditor>['textProblem'],
  problems: ReturnType<typeof itemProblems>,
): readonly EditorProblem[] {
  if (state.form === 'form') return []
  if (mistake !== undefined) return [{ start: mistake.start, end: mistake.end, message: mistake.message }]
  return problems.map(({ name, message }) => {
    const at = name === undefined ? -1 : state.text.indexOf(JSON.stringify(name))
    return { start: Math.max(0, at), end: at < 0 ? 1 : at + JSON.stringify(name).length, message }
  })
}
