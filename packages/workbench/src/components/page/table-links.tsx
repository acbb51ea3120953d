import { Link } from 'wouter'
import { useLink } from '../../state/links.ts'
import './table-links.css'

export interface TableLinksProps {
  readonly view: string
  readonly tables: readonly string[]
  readonly label?: string
}

/** Names of tables, one beside the other, each a link to a view of it. */
export function TableLinks({ view, tables, label }: TableLinksProps) {
  const link = useLink()
  return (
    <ul className="table-links" aria-label={label}>
      {tables.map((name) => (
        <li key={name}>
          <Link href={link(view, name)}>{name}</Link>
        </li>
      ))}
    </ul>
  )
}
