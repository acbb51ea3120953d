import type { Source } from '../../api/table-facts.ts'
import { Button } from '../../components/controls/button.tsx'
import { EntityChip } from '../../components/values/badge.tsx'
import { formatCount } from '../../values/format.ts'
import { noNames, type CollectionsUrl, type SetCollectionsUrl } from './collections-url.ts'
import type { Facets } from './use-facets.ts'

/** Which sources stand side by side, and which entities are shown of them. */
export function CollectionsToolbar({
  sources,
  facets,
  url,
  setUrl,
}: {
  readonly sources: readonly Source[]
  readonly facets: Facets
  readonly url: CollectionsUrl
  readonly setUrl: SetCollectionsUrl
}) {
  return (
    <>
      <div className="collections-sources" role="group" aria-label="Shown side by side">
        {sources.map(({ indexName }) => (
          <button
            key={indexName ?? ''}
            type="button"
            className="collections-source"
            aria-pressed={!url.hide.includes(indexName ?? '')}
            onClick={() => setUrl({ hide: toggled(url.hide, indexName ?? '') })}
          >
            {indexName ?? 'Table'}
          </button>
        ))}
      </div>
      <div className="collections-facets" role="group" aria-label="Entities">
        {namesToChoose(facets, url.entities).map((name) => (
          <button
            key={name}
            type="button"
            className="collections-facet"
            aria-pressed={url.entities.includes(name)}
            onClick={() => setUrl({ entities: toggled(url.entities, name), at: {} })}
          >
            <EntityChip name={name} />
            <span className="number">{formatCount(facets.counts.get(name) ?? 0)}</span>
          </button>
        ))}
        {url.entities.length > 0 && (
          <Button tone="quiet" onClick={() => setUrl({ entities: noNames, at: {} })}>
            All entities
          </Button>
        )}
      </div>
    </>
  )
}

/** Also those that a link has chosen, and that were not seen yet. */
function namesToChoose({ counts }: Facets, chosen: readonly string[]): readonly string[] {
  return [...new Set([...counts.keys(), ...chosen])]
}

function toggled(list: readonly string[], name: string): readonly string[] {
  return list.includes(name) ? list.filter((other) => other !== name) : [...list, name]
}
