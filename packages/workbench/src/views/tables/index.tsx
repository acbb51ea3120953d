import type { ViewProps } from '../../app/views.tsx'
import { TableList } from './table-list.tsx'

export default function TablesView(_props: ViewProps) {
  return <TableList />
}
