import { Plus } from '../../../icons/icons.generated.ts'
import { useCallback, useRef } from 'react'
import { Button } from '../../../components/controls/button.tsx'
import { changeNode, newNode } from './draft.ts'
import type { Change, FormEditorProps } from './form-context.ts'
import { NodeList } from './node-list.tsx'
import './form-editor.css'

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
      <NodeList
        nodes={nodes}
        path=""
        depth={0}
        change={change}
        context={{ ...props, addedIds }}
        kind="attributes"
      />
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
