import type { ChoiceOption } from '../../../components/field.tsx'
import type { StreamDraft, TableDraft } from './table-draft.ts'

export const billingOptions: readonly ChoiceOption<TableDraft['billing']>[] = [
  {
    value: 'PAY_PER_REQUEST',
    label: 'On-demand',
    hint: 'Pay for each request; nothing to plan. Best for traffic that is new, low or in bursts.',
  },
  {
    value: 'PROVISIONED',
    label: 'Provisioned',
    hint: 'Pay by the hour for units set aside. Cheaper for steady traffic; more than that is throttled.',
  },
]

export const streamOptions: readonly { readonly value: StreamDraft; readonly label: string }[] = [
  { value: 'NONE', label: 'No stream' },
  { value: 'NEW_AND_OLD_IMAGES', label: 'New and old images – what changed, and from what' },
  { value: 'NEW_IMAGE', label: 'New image – the item after the change' },
  { value: 'OLD_IMAGE', label: 'Old image – the item before the change' },
  { value: 'KEYS_ONLY', label: 'Keys only – which item changed' },
]

export const tableClassOptions: readonly ChoiceOption<TableDraft['tableClass']>[] = [
  { value: 'STANDARD', label: 'Standard', hint: 'For data that is read and written.' },
  {
    value: 'STANDARD_INFREQUENT_ACCESS',
    label: 'Infrequent access',
    hint: 'Storage costs less than half, requests a quarter more. For archives.',
  },
]
