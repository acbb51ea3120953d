import {
  useId,
  createContext,
  useContext,
  type ComponentPropsWithRef,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import './field.css'

interface FieldIds {
  readonly control: string
  readonly hint: string | undefined
  readonly isInvalid: boolean
}

const FieldContext = createContext<FieldIds | undefined>(undefined)

export interface FieldProps {
  readonly label: ReactNode
  /** What the choice means, for those who make it for the first time. */
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isOptional?: boolean
  readonly children: ReactNode
}

/** A labelled control. The control inside (TextInput, Select, …) is tied to its label and hint. */
export function Field({ label, hint, error, isOptional = false, children }: FieldProps) {
  const id = useId()
  const hasHint = hint !== undefined || error !== undefined
  return (
    <FieldContext value={{ control: id, hint: hasHint ? `${id}-hint` : undefined, isInvalid: error !== undefined }}>
      <div className="field">
        <div className="row">
          <label className="field-label" htmlFor={id}>
            {label}
          </label>
          {isOptional && <span className="field-optional">optional</span>}
        </div>
        {children}
        {hasHint && (
          <div id={`${id}-hint`} className="field-hint">
            {error !== undefined && (
              <p className="field-error" role="alert">
                {error}
              </p>
            )}
            {hint}
          </div>
        )}
      </div>
    </FieldContext>
  )
}

function useControl() {
  const ids = useContext(FieldContext)
  if (ids === undefined) return {}
  return { id: ids.control, 'aria-describedby': ids.hint, 'aria-invalid': ids.isInvalid || undefined }
}

export function TextInput({
  className,
  isMono = false,
  ...rest
}: ComponentPropsWithRef<'input'> & { readonly isMono?: boolean }) {
  return (
    <input
      type="text"
      autoComplete="off"
      {...useControl()}
      className={`input ${isMono ? 'mono' : ''} ${className ?? ''}`}
      {...rest}
    />
  )
}

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...useControl()} className={`input input-area ${className ?? ''}`} {...rest} />
}

export interface SelectOption {
  readonly value: string
  readonly label: string
}

export interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> {
  readonly value: string
  readonly options: readonly (SelectOption | string)[]
  readonly onChange: (value: string) => void
}

export function Select({ options, onChange, className, ...rest }: SelectProps) {
  return (
    <select
      {...useControl()}
      className={`input select ${className ?? ''}`}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    >
      {options.map((option) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
        return (
          <option key={value} value={value}>
            {label}
          </option>
        )
      })}
    </select>
  )
}

export interface SwitchProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly disabled?: boolean
}

export function Switch({ label, hint, isOn, onChange, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="switch-field">
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        aria-labelledby={`${id}-label`}
        className="switch"
        disabled={disabled}
        onClick={() => onChange(!isOn)}
      >
        <span className="switch-thumb" />
      </button>
      <div>
        <label id={`${id}-label`} htmlFor={id} className="field-label">
          {label}
        </label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className="field-hint">
            {hint}
          </div>
        )}
      </div>
    </div>
  )
}

export function Checkbox({
  label,
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { readonly label: ReactNode }) {
  return (
    <label className={`checkbox ${className ?? ''}`}>
      <input type="checkbox" {...rest} />
      {label}
    </label>
  )
}

export interface ChoiceOption<Value extends string> {
  readonly value: Value
  readonly label: string
  /** What choosing it means. */
  readonly hint?: ReactNode
}

export interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly ChoiceOption<Value>[]
  readonly onChange: (value: Value) => void
  /** `cards` explain themselves, `segments` are for a toolbar. */
  readonly shape?: 'cards' | 'segments'
}

/** One of a few. Arrow keys choose, as in every group of radio buttons. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
  shape = 'cards',
}: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className={`choice choice-${shape}`}>
      <legend className={shape === 'segments' ? 'visually-hidden' : 'field-label'}>{label}</legend>
      <div className="choice-options">
        {options.map((option) => (
          <label key={option.value} className="choice-option">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span className="choice-label">{option.label}</span>
            {option.hint !== undefined && <span className="choice-hint">{option.hint}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
