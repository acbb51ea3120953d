import type { AttributeDescription, EntityDescription, KeyTemplateDescription } from '@hashrange/model'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { EntityChip } from '../../components/values/badge.tsx'
import { entityStyle } from '../../values/entity-colour.ts'
import { formatBytes, formatCount } from '../../values/format.ts'
import { KeyTemplate } from '../query/pattern/key-template.tsx'
import '../../components/page/plain-table.css'
import { FindingList } from './finding-list.tsx'
import { findingsAt } from './model-queries.ts'
import type { ModelTabProps } from './patterns-tab.tsx'
import './entities-tab.css'

/** Each entity with the keys its items get, in the table and in each index, and its attributes. */
export function EntitiesTab({ model, check }: ModelTabProps) {
  const { entities } = model.description
  return (
    <ScrollRegion label="Entities" className="model-scroll model-cards">
      {entities.map((entity) => (
        <section key={entity.name} className="model-card" style={entityStyle(entity.name)} aria-label={entity.name}>
          <header className="model-card-head">
            <h2>
              <EntityChip name={entity.name} />
            </h2>
            <span className="muted">{volumeOf(entity)}</span>
            {entity.owner !== undefined && <span className="muted">owned by {entity.owner}</span>}
          </header>
          {entity.description !== undefined && <p className="model-hint">{entity.description}</p>}
          <Keys entity={entity} />
          <ScrollRegion label={`Attributes of ${entity.name}, scrolled`}>
            <table className="plain-table model-attributes" aria-label={`Attributes of ${entity.name}`}>
              <thead>
                <tr>
                  <th>Attribute</th>
                  <th>Type</th>
                  <th>Notes</th>
                </tr>
              </thead>
              <tbody>
                {entity.attributes.map((attribute) => (
                  <tr key={attribute.name}>
                    <td className="mono">{attribute.name}</td>
                    <td>{typeText(attribute)}</td>
                    <td className="muted">{notesOf(attribute)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <FindingList findings={findingsAt(check, 'entity', entity.name)} />
        </section>
      ))}
    </ScrollRegion>
  )
}

function Keys({ entity }: { readonly entity: EntityDescription }) {
  const rows: (readonly [string, readonly KeyTemplateDescription[], string])[] = [
    ['table', templates(entity.key.partition, entity.key.sort), ''],
    ...entity.indexKeys.map(
      ({ index, partition, sort, when = [], shards }) =>
        [
          index,
          [...partition, ...sort],
          [
            when.map(({ attribute, values }) => `while ${attribute} is ${values.join(' or ')}`).join(', '),
            shards === undefined ? '' : `spread over ${String(shards.count)} shards`,
          ]
            .filter((text) => text !== '')
            .join('; '),
        ] as const,
    ),
    ...entity.satellites.map(
      ({ kind, name, key }) =>
        [
          kind === 'unique' ? `unique ${name.replace(/^.*\./, '')}` : name,
          templates(key.partition, key.sort),
          kind === 'unique' ? 'an extra item that keeps the value unique' : 'an index item, strongly consistent',
        ] as const,
    ),
  ]
  return (
    <dl className="model-keys">
      {rows.map(([place, keys, note]) => (
        <div key={place}>
          <dt>{place}</dt>
          <dd>
            {keys.map((template) => (
              <span key={template.attribute} className="model-key">
                <span className="model-key-name">{template.attribute}</span>
                <KeyTemplate template={template} texts={{}} />
              </span>
            ))}
            {note !== '' && <span className="model-hint">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function templates(partition: KeyTemplateDescription, sort?: KeyTemplateDescription): KeyTemplateDescription[] {
  return sort === undefined ? [partition] : [partition, sort]
}

function volumeOf({ volume }: EntityDescription): string {
  const parts: string[] = []
  if (volume.items !== undefined) parts.push(`${formatCount(volume.items)} items`)
  if (volume.perPartition !== undefined) parts.push(`${formatCount(volume.perPartition)} per partition key`)
  if (volume.maxPerPartition !== undefined) parts.push(`at most ${formatCount(volume.maxPerPartition)}`)
  if (volume.itemBytes !== undefined) parts.push(formatBytes(volume.itemBytes))
  return parts.join(' · ')
}

function typeText(attribute: AttributeDescription): string {
  if (attribute.type === 'enum') return (attribute.values ?? []).join(' | ')
  if (attribute.element !== undefined) return `${attribute.type} of ${attribute.element.type}`
  return attribute.precision === undefined ? attribute.type : `${attribute.type} (${attribute.precision})`
}

function notesOf(attribute: AttributeDescription): string {
  const notes: string[] = []
  if (attribute.isOptional) notes.push('optional')
  if (attribute.isReadOnly) notes.push('set once')
  if (attribute.hasDefault) notes.push('has a default')
  if (attribute.computedFrom !== undefined) notes.push(`computed from ${attribute.computedFrom.join(', ')}`)
  if (!attribute.isStored) notes.push('not stored')
  if (attribute.description !== undefined) notes.push(attribute.description)
  return notes.join(', ')
}
