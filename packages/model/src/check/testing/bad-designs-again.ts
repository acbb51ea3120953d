import { entity, model, s } from '../../index.ts'
import type { badDesigns, Gallery } from './bad-designs.ts'

/** The same mistakes in other clothes: a rule that only knows one model of its mistake is not worth much. A hospital, a newspaper and
 *  a car park. */
export const badDesignsAgain: Readonly<Record<keyof typeof badDesigns, Gallery>> = {
  'sparse-index-covers-all': {
    'beds that are free, and those that are not': () => {
      const Bed = entity('Bed', {
        ward: s.ulid(),
        bed: s.ulid(),
        isFree: s.boolean(),
        kind: s.enum('NORMAL', 'INTENSIVE').default('NORMAL'),
      })
        .key({ pk: 'WARD#{ward}', sk: 'BED#{bed}' })
        .index('free', {
          pk: 'FREE#{ward}',
          sk: '{bed}',
          when: { isFree: [true, false], kind: ['INTENSIVE', 'NORMAL'] },
        })
      return model({
        name: 'beds',
        owner: 'team',
        entities: { Bed },
        patterns: (p) => ({ free: p.query({ on: 'free', pk: 'FREE#{ward}', limit: 10 }) }),
      })
    },
  },
  'personal-data-in-key': {
    'patients in the order of their names': () => {
      const Patient = entity('Patient', { ward: s.ulid(), patientId: s.ulid(), familyName: s.string() })
        .key({ pk: 'PATIENT#{patientId}', sk: 'PATIENT' })
        .index('ofWard', { pk: 'WARD#{ward}', sk: '{familyName:lower}' })
      return model({
        name: 'patients',
        owner: 'team',
        entities: { Patient },
        patterns: (p) => ({ ofWard: p.query({ on: 'ofWard', pk: 'WARD#{ward}', limit: 40 }) }),
      })
    },
    'subscribers whose addresses are plain attributes': () => {
      const Subscriber = entity('Subscriber', { subscriberEmail: s.string(), since: s.iso('day') }).key({
        pk: '{subscriberEmail}',
      })
      return model({
        name: 'subscribers',
        owner: 'team',
        table: { pk: 'subscriberEmail' },
        entities: { Subscriber },
        patterns: (p) => ({ subscriber: p.get('Subscriber') }),
      })
    },
  },
  'crosses-tenants': {
    'letters of all newspapers': () => {
      const Letter = entity('Letter', { publisherOrgId: s.ulid(), letterId: s.ulid(), topic: s.ulid() })
        .key({ pk: 'ORG#{publisherOrgId}#LETTER#{letterId}', sk: 'LETTER' })
        .index('byTopic', { pk: 'TOPIC#{topic}', sk: '{letterId}' })
      const Editor = entity('Editor', { publisherOrgId: s.ulid(), editorId: s.ulid() }).key({
        pk: 'ORG#{publisherOrgId}',
        sk: 'EDITOR#{editorId}',
      })
      return model({
        name: 'letters',
        owner: 'team',
        entities: { Letter, Editor },
        patterns: (p) => ({
          onTopic: p.query({ on: 'byTopic', pk: 'TOPIC#{topic}', limit: 30 }),
          editors: p.query({ pk: 'ORG#{publisherOrgId}', sk: 'EDITOR#*', limit: 30 }),
        }),
      })
    },
  },
  'date-partition-key': {
    'an index of admissions by month': () => {
      const Admission = entity('Admission', { admissionId: s.ulid(), admitted: s.date('minute') })
        .key({ pk: 'ADMISSION#{admissionId}', sk: 'ADMISSION' })
        .index('byMonth', { pk: '{admitted:month}', sk: '{admitted}#{admissionId}' })
        .volume({ perPartition: 1, items: 5000 })
      return model({
        name: 'admissions',
        owner: 'team',
        entities: { Admission },
        patterns: (p) => ({
          admit: p.upsert('Admission'),
          ofMonth: p.query({ on: 'byMonth', pk: '{admitted:month}', limit: 50 }),
        }),
      })
    },
  },
  'keys-only-then-get': {
    'headlines that are fetched one by one': () => {
      const Story = entity('Story', { storyId: s.ulid(), desk: s.ulid(), headline: s.string().size(200) })
        .key({ pk: 'STORY#{storyId}', sk: 'STORY' })
        .index('ofDesk', { pk: 'DESK#{desk}', sk: '{storyId}' })
        .volume({ items: 10_000, perPartition: 1 })
      return model({
        name: 'stories',
        owner: 'team',
        table: { indexes: { ofDesk: { projection: 'KEYS_ONLY' } } },
        entities: { Story },
        patterns: (p) => ({
          front: p.query({ on: 'ofDesk', pk: 'DESK#{desk}', limit: 10, traffic: { rate: 5, items: 10 } }),
          story: p.get('Story', { traffic: { rate: 50 } }),
        }),
      })
    },
  },
  'limit-hides-entity': {
    'a tariff before all stays, read from the end, in an index': () => {
      const Stay = entity('Stay', { garage: s.ulid().distinct(100), stayId: s.ulid() })
        .key({ pk: 'STAY#{stayId}', sk: 'STAY' })
        .index('ofGarage', { pk: 'GARAGE#{garage}', sk: 'STAY#{stayId}' })
        .volume({ items: 50_000, perPartition: 1 })
      const Tariff = entity('Tariff', { garage: s.ulid().distinct(100), cents: s.int() })
        .key({ pk: 'TARIFF#{garage}', sk: 'TARIFF' })
        .index('ofGarage', { pk: 'GARAGE#{garage}', sk: 'A#TARIFF' })
        .volume({ items: 100 })
      return model({
        name: 'garages',
        owner: 'team',
        entities: { Stay, Tariff },
        patterns: (p) => ({
          latest: p.query({ on: 'ofGarage', pk: 'GARAGE#{garage}', order: 'desc', limit: 20 }),
        }),
      })
    },
  },
  'put-overwrites': {
    'a temperature an hour, in a transaction': () => {
      const Chart = entity('Chart', { patientId: s.ulid(), measured: s.date('second'), celsius: s.number() })
        .key({ pk: 'PATIENT#{patientId}#{measured:day}', sk: 'CHART#{measured:hour}' })
        .volume({ perPartition: 24, maxPerPartition: 24 })
      const Visit = entity('Visit', { patientId: s.ulid(), visitId: s.ulid() }).key({
        pk: 'VISIT#{visitId}',
        sk: 'VISIT',
      })
      return model({
        name: 'charts',
        owner: 'team',
        entities: { Chart, Visit },
        patterns: (p) => ({ record: p.transact({ 'Visit.create': 1, 'Chart.put': 1 }) }),
      })
    },
  },
  'transaction-contention': {
    'the one car park whose places every entry counts down': () => {
      const Places = entity('Places', { garage: s.ulid(), free: s.int() }).key({
        pk: 'GARAGE#{garage}',
        sk: 'PLACES',
      })
      const Entry = entity('Entry', { entryId: s.ulid(), garage: s.ulid() }).key({
        pk: 'ENTRY#{entryId}',
        sk: 'ENTRY',
      })
      return model({
        name: 'entries',
        owner: 'team',
        entities: { Places, Entry },
        patterns: (p) => ({
          enter: p.transact(
            { 'Entry.create': 1, 'Places.update': 1 },
            { traffic: { rate: 20, peakRate: 90, hotKeyShare: 0.4 } },
          ),
        }),
      })
    },
  },
  'unique-with-ttl': {
    'a place in a garage that is reserved until it expires': () => {
      const Reservation = entity('Reservation', {
        reservationId: s.ulid(),
        garage: s.ulid(),
        place: s.int(),
        endsAt: s.ttl().optional(),
      })
        .key({ pk: 'RESERVATION#{reservationId}', sk: 'RESERVATION' })
        .unique(['garage', 'place'], { pk: 'PLACE#{garage}#{place}', sk: 'TAKEN' })
      return model({
        name: 'reservations',
        owner: 'team',
        entities: { Reservation },
        patterns: (p) => ({ reserve: p.create('Reservation') }),
      })
    },
  },
}

/** Reads this time: one newspaper has half of all readers. */
export const hotPaper = () => {
  const Issue = entity('Issue', { paper: s.ulid(), issueId: s.ulid(), text: s.string().size(4000) })
    .key({ pk: 'PAPER#{paper}', sk: 'ISSUE#{issueId}' })
    .volume({ items: 20_000, perPartition: 20, maxPerPartition: 10_000 })
  return model({
    name: 'issues',
    owner: 'team',
    entities: { Issue },
    patterns: (p) => ({ issue: p.get('Issue', { consistent: true, traffic: { rate: 9000 } }) }),
  })
}

/** In a list, and set by modify. */
export const growingHistory = () => {
  const Patient = entity('Patient', { patientId: s.ulid(), history: s.list(s.any<object>()) }).key({
    pk: 'PATIENT#{patientId}',
    sk: 'PATIENT',
  })
  return model({
    name: 'histories',
    owner: 'team',
    entities: { Patient },
    patterns: (p) => ({ note: p.modify('Patient', { changes: ['history'] }) }),
  })
}
