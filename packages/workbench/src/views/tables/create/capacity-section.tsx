import { Choice, Field, TextInput } from '../../../components/controls/field.tsx'
import { CapacityCost } from '../capacity-cost.tsx'
import { billingOptions } from './options.tsx'
import type { SectionProps } from './section-props.ts'

/** How reads and writes are paid for, and how many there may be. */
export function CapacitySection({ draft, problems, onChange }: SectionProps) {
  return (
    <section className="stack">
      <Choice
        label="Capacity"
        value={draft.billing}
        onChange={(billing) => onChange({ billing })}
        options={billingOptions}
      />
      {draft.billing === 'PROVISIONED' && (
        <>
          <div className="unit-fields">
            <Field
              label="Read units"
              error={problems['readUnits']}
              hint="One unit reads 4 KB per second strongly consistently, or 8 KB eventually consistently."
            >
              <TextInput
                inputMode="numeric"
                value={draft.readUnits}
                onChange={(event) => onChange({ readUnits: event.target.value })}
              />
            </Field>
            <Field label="Write units" error={problems['writeUnits']} hint="One unit writes 1 KB per second.">
              <TextInput
                inputMode="numeric"
                value={draft.writeUnits}
                onChange={(event) => onChange({ writeUnits: event.target.value })}
              />
            </Field>
          </div>
          <CapacityCost readUnits={Number(draft.readUnits)} writeUnits={Number(draft.writeUnits)} />
        </>
      )}
    </section>
  )
}
