import type { EntityDescription, PatternDescription } from '../../description.ts'
import type { FindingPlace } from '../finding.ts'
import type { EntityMeasurement, ModelMeasurement } from '../measure-model.ts'
import type { ModelIndex, Place } from '../model-index.ts'
import type { PatternMeasurement } from '../run/pattern-measurement.ts'

/** What a review uses: the model, and how it behaved on a real database. */
export class ReviewContext {
  readonly model: ModelIndex
  readonly measurement: ModelMeasurement
  readonly #byPattern: ReadonlyMap<string, PatternMeasurement>
  readonly #byEntity: ReadonlyMap<string, EntityMeasurement>

  constructor(model: ModelIndex, measurement: ModelMeasurement) {
    this.model = model
    this.measurement = measurement
    this.#byPattern = new Map(measurement.patterns.map((measured) => [measured.pattern, measured]))
    this.#byEntity = new Map(measurement.entities.map((measured) => [measured.entity, measured]))
  }

  measured(pattern: PatternDescription): PatternMeasurement | undefined {
    return this.#byPattern.get(pattern.name)
  }

  itemBytesOf(entity: EntityDescription): number {
    return entity.volume.itemBytes ?? this.#byEntity.get(entity.name)?.itemBytes ?? 0
  }

  entryBytesOf(entity: EntityDescription, index: string): number {
    return this.#byEntity.get(entity.name)?.indexes.find((each) => each.index === index)?.entryBytes ?? 0
  }

  atPattern({ name, location }: PatternDescription): FindingPlace {
    return { kind: 'pattern', name, ...(location !== undefined && { location }) }
  }

  atEntity({ name, location }: EntityDescription): FindingPlace {
    return { kind: 'entity', name, ...(location !== undefined && { location }) }
  }

  /** A table or index is defined by the entities in it. */
  at(place: Place): FindingPlace {
    const location = this.model.locationOf(place)
    const kind = place.index === undefined ? 'table' : 'index'
    return { kind, name: place.name, ...(location !== undefined && { location }) }
  }
}
