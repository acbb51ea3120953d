import type { ChoiceOption } from '../../../components/controls/field.tsx'
import type { StreamDraft, TableDraft } from './table-draft.ts'

export const billingOptions: readonly ChoiceOption<TableDraft['billing']>[] = [
  {
    value: 'PAY_PER_REQUEST',
    label: 'On-demand',
    hint: 'Pay per request, with nothing to plan. Best for traffic that is new, low or bursty.',
  },
  {
    value: 'PROVISIONED',
    label: 'Provisioned',
    hint: 'Pay by the hour for reserved units. Cheaper for steady traffic; requests above that are throttled.',
  },
]

export const streamOptions: readonly { readonly value: StreamDraft; readonly label: string }[] = [
  { value: 'NONE', label: 'No stream' },
  { value: 'NEW_AND_OLD_IMAGES', label: 'New and old images – the item before and after the change' },
  { value: 'NEW_IMAGE', label: 'New image – the item after the change' },
  { value: 'OLD_IMAGE', label: 'Old image – the item before the change' },
  { value: 'KEYS_ONLY', label: 'Keys only – which item changed' },
]

export const tableClassOptions: readonly ChoiceOption<TableDraft['tableClass']>[] = [
  { value: 'STANDARD', label: 'Standard', hint: 'For data that is read and written often.' },
  {
    value: 'STANDARD_INFREQUENT_ACCESS',
    label: 'Infrequent access',
    hint: 'Storage costs less than half, requests a quarter more. For data that is rarely used.',
  },
]
