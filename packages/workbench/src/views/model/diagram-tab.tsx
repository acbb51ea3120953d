import { useMemo, useState } from 'react'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { entityStyle } from '../../values/entity-colour.ts'
import { placesOf, type FilledPlace } from './collections-of.ts'
import { FindingList } from './finding-list.tsx'
import { findingsAt } from './model-queries.ts'
import type { ModelTabProps } from './patterns-tab.tsx'
import './diagram-tab.css'

/** The item collections that the model makes, in the table and in each index side by side; a pattern shows what it reads. */
export function DiagramTab({ model, check }: ModelTabProps) {
  const { description } = model
  const places = useMemo(() => placesOf(description), [description])
  const [lit, setLit] = useState<string>()
  return (
    <ScrollRegion label="Item collections" className="model-scroll model-places">
      {places.map((place) => (
        <section key={place.title} className="model-place" aria-label={place.title}>
          <header className="model-place-head">
            <h2>{place.title}</h2>
            <Badge>{kindOf(place)}</Badge>
            <p className="model-hint">
              <span className="mono">{place.partitionKey}</span>
              {place.sortKey !== '' && (
                <>
                  {' · '}
                  <span className="mono">{place.sortKey}</span>
                </>
              )}
            </p>
          </header>
          {place.collections.length === 0 && (
            <p className="model-hint">No entity has a key in this table or index.</p>
          )}
          {place.collections.map((collection) => (
            <div key={collection.partition} className="model-collection">
              <div className="model-collection-key mono">{collection.partition}</div>
              <ol className="model-members">
                {collection.members.map((member) => (
                  <li
                    key={`${member.name}/${member.sort}`}
                    className={`model-member ${isLit(lit, collection.patterns, member.name) ? 'is-lit' : ''}`}
                    style={entityStyle(member.entity)}
                  >
                    <span className="model-member-name">{member.name}</span>
                    <span className="mono model-member-sort">{member.sort}</span>
                    {member.when !== '' && <span className="model-hint">{member.when}</span>}
                  </li>
                ))}
              </ol>
              {collection.patterns.length > 0 && (
                <ul className="model-readers" aria-label={`Patterns that use ${collection.partition}`}>
                  {collection.patterns.map((pattern) => (
                    <li key={pattern.name}>
                      <button
                        type="button"
                        className={`model-reader ${lit === pattern.name ? 'is-lit' : ''}`}
                        aria-pressed={lit === pattern.name}
                        onMouseEnter={() => setLit(pattern.name)}
                        onMouseLeave={() => setLit(undefined)}
                        onFocus={() => setLit(pattern.name)}
                        onBlur={() => setLit(undefined)}
                      >
                        {pattern.name}
                      </button>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          ))}
          <FindingList
            findings={
              place.index === undefined
                ? findingsAt(check, 'table', place.table.name)
                : findingsAt(check, 'index', place.index.name)
            }
          />
        </section>
      ))}
    </ScrollRegion>
  )
}

function kindOf({ index }: FilledPlace): string {
  if (index === undefined) return 'table'
  const projection =
    index.projection.type === 'INCLUDE'
      ? `${String(index.projection.attributes.length)} attributes`
      : index.projection.type.toLowerCase().replace('_', ' ')
  return `${index.kind} index · ${projection}`
}

function isLit(
  lit: string | undefined,
  patterns: readonly { readonly name: string; readonly entities: readonly string[] }[],
  member: string,
): boolean {
  return patterns.some(({ name, entities }) => name === lit && entities.includes(member))
}
