import { CloudCog, Database } from '../../icons/icons.generated.ts'
import type { ConnectionInfo } from '../../answers/connections.ts'
import type { FilterEntry } from '../../components/controls/filter-list.tsx'
import { connectionStyle } from '../../values/connection-colour.ts'

/** The connections, for the list at the top left. */
export function connectionEntries(
  connections: readonly ConnectionInfo[],
  chosen: string | undefined,
  onChoose: (connection: ConnectionInfo) => void,
): readonly FilterEntry[] {
  return connections.map((connection) => ({
    id: `@${connection.name}`,
    label: connection.name,
    group: 'Connections',
    icon: <span className="connection-dot" style={connectionStyle(connection.colour)} aria-hidden />,
    detail: connection.place,
    keywords: `${connection.place} ${connection.region}`,
    isChosen: connection.name === chosen,
    onSelect: () => onChoose(connection),
  }))
}

export function ConnectionIcon({ kind }: Pick<ConnectionInfo, 'kind'>) {
  return kind === 'aws' ? <CloudCog aria-hidden /> : <Database aria-hidden />
}
