import type { AttributeType } from '@hashrange/core'
import { Trash2 } from '../../../icons/icons.generated.ts'
import { memo, useState } from 'react'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Select } from '../../../components/controls/field.tsx'
import { plural } from '../../../values/format.ts'
import { typeNames } from '../../../values/preview.ts'
import { newNode, setMembers, withType, type DraftNode } from './draft.ts'
import type { Change, FormContext, NodeKind } from './form-context.ts'
import { NodeCount, NodeName, NodeToggle } from './node-cells.tsx'
import { NodeLeaf } from './node-leaf.tsx'

/** So many are there at once: a list of thousands stays usable. */
const firstEntries = 60

/** The attributes of an item, or the contents of a map, a list or a set. */
export function NodeList({
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
  readonly kind: NodeKind
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
    readonly kind: NodeKind
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
            <NodeToggle label={label} isOpen={hasChildren ? isOpen : undefined} onToggle={() => setOpen(!isOpen)} />
            {kind === 'attributes' || kind === 'entries' ? (
              <NodeName
                name={node.name}
                label={label}
                isKey={isKey}
                isLocked={isKey || context.isReadOnly}
                isFocused={isAdded}
                onChange={(name) => set({ name })}
              />
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
              <NodeCount node={node} label={label} onAdd={isLocked ? undefined : add} />
            ) : (
              <NodeLeaf
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
          <NodeList
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
  // The context is recreated with every change; most rows do not depend on it.
  (before, after) =>
    before.node === after.node &&
    before.label === after.label &&
    before.context.problems === after.context.problems &&
    before.context.nameProblems === after.context.nameProblems &&
    before.context.isReadOnly === after.context.isReadOnly,
)
