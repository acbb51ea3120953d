import { Choice } from '../../../components/controls/field.tsx'

export type BuilderMode = 'pattern' | 'key' | 'write'

/** What is built: a read by a pattern or by key, or a write. */
export function ModeChoice({
  mode,
  onChange,
}: {
  readonly mode: BuilderMode
  readonly onChange: (mode: BuilderMode) => void
}) {
  return (
    <Choice
      label="How to build the query"
      shape="segments"
      value={mode}
      options={[
        { value: 'pattern', label: 'By access pattern' },
        { value: 'key', label: 'By key' },
        { value: 'write', label: 'Write' },
      ]}
      onChange={onChange}
    />
  )
}
