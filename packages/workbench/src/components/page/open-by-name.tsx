import { useState } from 'react'
import { useGo } from '../../state/links.ts'
import { Button } from '../controls/button.tsx'
import { Field, TextInput } from '../controls/field.tsx'
import './open-by-name.css'

/** For whoever may use a table and may not list them. */
export function OpenByName({ view }: { readonly view: string }) {
  const [name, setName] = useState('')
  const go = useGo()
  return (
    <form
      className="open-by-name"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') go(view, name.trim())
      }}
    >
      <Field
        label="Open a table by its name"
        hint="You may be allowed to use a table without being allowed to list all of them."
      >
        <div className="row">
          <TextInput
            isMono
            aria-label="Table name"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" disabled={name.trim() === ''}>
            Open
          </Button>
        </div>
      </Field>
    </form>
  )
}
