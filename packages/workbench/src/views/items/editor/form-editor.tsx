import type { AttributeType } from '@hashrange/core'
import { ChevronDown, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { memo, useCallback, useRef, useState } from 'react'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Select, TextInput } from '../../../components/controls/field.tsx'
import { plural } from '../../../values/format.ts'
import { typeNames } from '../../../values/preview.ts'
import { changeNode, newNode, setMembers, withType, type DraftNode, type DraftProblem } from './draft.ts'
import { TextBox } from './text-box.tsx'
import './form-editor.css'

export interface FormEditorProps {
  readonly nodes: readonly DraftNode[]
  readonly onChange: (nodes: readonly DraftNode[]) => void
  readonly problems: readonly DraftProblem[]
  /** What is wrong with an attribute as a whole, by its name. */
  readonly nameProblems: ReadonlyMap<string, string>
  /** The key attributes with their types: they cannot be renamed or removed. */
  readonly keys: ReadonlyMap<string, AttributeType>
  /** The key of an item that exists cannot be changed. */
  readonly isKeyLocked: boolean
  readonly isReadOnly: boolean
  /** Whether it begins empty: what is missing is told when it was left out, not before. */
  readonly isFresh: boolean
}

/** An item as a form, every value by its type. */
export function FormEditor(props: FormEditorProps) {
  const { nodes, onChange } = props
  const latest = useRef(props)
  latest.current = props
  const change = useCallback<Change>((id, make) => {
    latest.current.onChange(changeNode(latest.current.nodes, id, make))
  }, [])
  const addedIds = useRef(new Set<number>()).current
  const add = (): void => {
    const node = newNode()
    addedIds.add(node.id)
    onChange([...nodes, node])
  }
  return (
    <div className="item-form">
      <Nodes nodes={nodes} path="" depth={0} change={change} context={{ ...props, addedIds }} kind="attributes" />
      {!props.isReadOnly && (
        <div>
          <Button icon={<Plus />} onClick={add}>
            Add attribute
          </Button>
        </div>
      )}
    </div>
  )
}

interface FormContext extends FormEditorProps {
  /** What was added here: it is shown however much there is, and takes the focus. */
  readonly addedIds: Set<number>
}

type Change = (id: number, make: (node: DraftNode) => DraftNode | undefined) => void

/** So many are there at once: a list of thousands stays usable. */
const firstEntries = 60

function Nodes({
  nodes,
  path,
  depth,
  change,
  context,
  kind,
}: {
  readonly nodes: readonly DraftNode[]
  readonly path: string
  readonly depth: number
  readonly change: Change
  readonly context: FormContext
  readonly kind: 'attributes' | 'entries' | 'elements' | 'members'
}) {
  const [shown, setShown] = useState(firstEntries)
  const rowOf = (node: DraftNode, at: number) => (
    <NodeRow
      key={node.id}
      node={node}
      label={`${path}${kind === 'elements' || kind === 'members' ? `[${String(at)}]` : node.name || 'new attribute'}`}
      position={at}
      depth={depth}
      change={change}
      context={context}
      kind={kind}
    />
  )
  const rest = nodes.slice(shown)
  const hidden = rest.filter(({ id }) => !context.addedIds.has(id)).length
  return (
    <ul className={depth === 0 ? 'item-form-list' : 'item-form-list is-nested'}>
      {nodes.slice(0, shown).map(rowOf)}
      {hidden > 0 && (
        <li>
          <Button onClick={() => setShown(shown + 200)}>Show more of {plural(hidden, 'entry', 'entries')}</Button>
        </li>
      )}
      {rest.map((node, position) => (context.addedIds.has(node.id) ? rowOf(node, shown + position) : null))}
    </ul>
  )
}

const types = Object.entries(typeNames).map(([value, label]) => ({ value, label }))

const NodeRow = memo(
  function NodeRow({
    node,
    label,
    position,
    depth,
    change,
    context,
    kind,
  }: {
    readonly node: DraftNode
    readonly label: string
    readonly position: number
    readonly depth: number
    readonly change: Change
    readonly context: FormContext
    readonly kind: 'attributes' | 'entries' | 'elements' | 'members'
  }) {
    const [isOpen, setOpen] = useState(depth < 2 && node.children.length <= firstEntries)
    const keyType = kind === 'attributes' ? context.keys.get(node.name) : undefined
    const isKey = keyType !== undefined
    const isLocked = context.isReadOnly || (isKey && context.isKeyLocked)
    const hasChildren = node.type === 'M' || node.type === 'L' || setMembers[node.type] !== undefined
    const found =
      context.problems.find(({ nodeId }) => nodeId === node.id)?.message ??
      (kind === 'attributes' ? context.nameProblems.get(node.name) : undefined)
    const isAdded = context.addedIds.has(node.id)
    const [isTouched, setTouched] = useState(!context.isFresh && !isAdded)
    const problem = isTouched ? found : undefined
    const set = (changes: Partial<DraftNode>): void => change(node.id, (known) => ({ ...known, ...changes }))
    const add = (): void => {
      const child = newNode('', setMembers[node.type] ?? 'S')
      context.addedIds.add(child.id)
      change(node.id, (known) => ({ ...known, children: [...known.children, child] }))
      setOpen(true)
    }
    return (
      <li className="item-form-row">
        <div
          className="item-form-line"
          onBlur={(event) => {
            // Between the fields of a line nothing is left out yet.
            if (!event.currentTarget.contains(event.relatedTarget)) setTouched(true)
          }}
        >
          <span className="item-form-name">
            {hasChildren ? (
              <button
                type="button"
                className="item-form-toggle"
                aria-expanded={isOpen}
                aria-label={`${isOpen ? 'Close' : 'Open'} ${label}`}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? <ChevronDown /> : <ChevronRight />}
              </button>
            ) : (
              <span className="item-form-toggle" />
            )}
            {kind === 'attributes' || kind === 'entries' ? (
              isKey || context.isReadOnly ? (
                <span className="item-form-key truncate" dir="auto" title={node.name.slice(0, 500)}>
                  {node.name.slice(0, 300)}
                  {isKey && <span className="item-form-badge">key</span>}
                </span>
              ) : (
                <TextInput
                  value={node.name}
                  dir="auto"
                  aria-label={`Name of ${label}`}
                  placeholder="name"
                  spellCheck={false}
                  autoFocus={isAdded}
                  onChange={(event) => set({ name: event.target.value })}
                />
              )
            ) : (
              <span className="item-form-position number">{position}</span>
            )}
          </span>
          {kind === 'members' ? null : (
            <Select
              className="item-form-type"
              aria-label={`Type of ${label}`}
              value={node.type}
              options={types}
              disabled={isLocked || isKey}
              onChange={(type) => change(node.id, (known) => withType(known, type as AttributeType))}
            />
          )}
          <span className="item-form-value">
            {hasChildren ? (
              <span className="item-form-count">
                {plural(
                  node.children.length,
                  setMembers[node.type] === undefined ? 'entry' : 'member',
                  setMembers[node.type] === undefined ? 'entries' : 'members',
                )}
                {!isLocked && (
                  <Button tone="quiet" icon={<Plus />} aria-label={`Add to ${label}`} onClick={add}>
                    Add
                  </Button>
                )}
              </span>
            ) : (
              <Leaf
                node={node}
                label={label}
                isLocked={isLocked}
                set={set}
                isInvalid={problem !== undefined}
                isFocused={isAdded && (kind === 'elements' || kind === 'members')}
              />
            )}
          </span>
          {isLocked || isKey ? (
            <span className="item-form-remove" />
          ) : (
            <IconButton
              className="item-form-remove"
              label={`Remove ${label}`}
              icon={<Trash2 />}
              onClick={() => change(node.id, () => undefined)}
            />
          )}
        </div>
        {problem !== undefined && (
          <p className="item-form-problem" role="alert">
            {problem}
          </p>
        )}
        {hasChildren && isOpen && (
          <Nodes
            nodes={node.children}
            path={`${label}.`}
            depth={depth + 1}
            change={change}
            context={context}
            kind={node.type === 'M' ? 'entries' : node.type === 'L' ? 'elements' : 'members'}
          />
        )}
      </li>
    )
  },
  // The context is made anew with every change; most rows have nothing to do with it.
  (before, after) =>
    before.node === after.node &&
    before.label === after.label &&
    before.context.problems === after.context.problems &&
    before.context.nameProblems === after.context.nameProblems &&
    before.context.isReadOnly === after.context.isReadOnly,
)

function Leaf({
  node,
  label,
  isLocked,
  isInvalid,
  isFocused,
  set,
}: {
  readonly node: DraftNode
  readonly label: string
  readonly isLocked: boolean
  readonly isInvalid: boolean
  readonly isFocused: boolean
  readonly set: (changes: Partial<DraftNode>) => void
}) {
  if (node.type === 'NULL') return <span className="muted">null</span>
  if (node.type === 'BOOL') {
    return (
      <Select
        aria-label={label}
        value={String(node.isTrue)}
        options={['true', 'false']}
        disabled={isLocked}
        onChange={(value) => set({ isTrue: value === 'true' })}
      />
    )
  }
  if (node.type === 'N') {
    return (
      <TextInput
        className="number"
        inputMode="decimal"
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        value={node.text}
        disabled={isLocked}
        autoFocus={isFocused}
        spellCheck={false}
        onChange={(event) => set({ text: event.target.value })}
      />
    )
  }
  return (
    <TextBox
      label={label}
      text={node.text}
      isMono={node.type === 'B'}
      isLocked={isLocked}
      isInvalid={isInvalid}
      isFocused={isFocused}
      placeholder={node.type === 'B' ? 'base64' : undefined}
      onChange={(text) => set({ text })}
    />
  )
}
