import { Select, TextInput } from '../../components/controls/field.tsx'
import { typeNames } from '../../values/preview.ts'
import { valueTypes } from '../query/draft/draft.ts'
import { emptyParameter, mostParameters, type ParameterText } from './statement-parameters.ts'

export interface ParameterFieldsProps {
  readonly count: number
  readonly parameters: readonly ParameterText[]
  readonly problem: string | undefined
  readonly onChange: (parameters: readonly ParameterText[]) => void
}

/** The values of the question marks. */
export function ParameterFields({ count, parameters, problem, onChange }: ParameterFieldsProps) {
  const all = Array.from({ length: Math.min(count, mostParameters) }, (_, at) => parameters[at] ?? emptyParameter)
  const set = (at: number, changes: Partial<ParameterText>): void =>
    onChange(all.map((each, position) => (position === at ? { ...each, ...changes } : each)))
  return (
    <div className="partiql-parameters" role="group" aria-label="Parameters">
      {all.map(({ type, value }, at) => (
        <div key={at} className="partiql-parameter">
          <span className="mono muted">?{at + 1}</span>
          <Select
            aria-label={`Type of parameter ${String(at + 1)}`}
            value={type}
            options={valueTypes.map((each) => ({ value: each, label: typeNames[each] }))}
            onChange={(next) => set(at, { type: valueTypes.find((each) => each === next) ?? 'S' })}
          />
          {type !== 'NULL' && (
            <TextInput
              isMono
              spellCheck={false}
              aria-label={`Parameter ${String(at + 1)}`}
              value={value}
              onChange={(event) => set(at, { value: event.target.value })}
            />
          )}
        </div>
      ))}
      {problem !== undefined && parameters.length > 0 && <p className="field-error">{problem}</p>}
    </div>
  )
}
