import { useState } from 'react'
import { CodeEditor } from '../../../components/code/code-editor.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { createTableInput, type TableDraft } from './table-draft.ts'

/** What will be sent, to learn from and to paste. */
export function RequestSection({ draft }: { readonly draft: TableDraft }) {
  const [isShown, setShown] = useState(false)
  const json = JSON.stringify(createTableInput(draft), undefined, 2)
  return (
    <section className="stack">
      <div className="row">
        <Button tone="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the request' : 'Show the request'}
        </Button>
        {isShown && <CopyButton text={json} label="Copy the request" />}
      </div>
      {isShown && <CodeEditor label="CreateTable request" language="json" isReadOnly value={json} heightPx={260} />}
    </section>
  )
}
