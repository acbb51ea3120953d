import { entity, model, now, s, secondsFromNow, ulid } from '@hashrange/model'

const Device = entity('Device', {
  deviceId: s.ulid().default(ulid),
  site: s.string().size(12).distinct(500),
  kind: s.enum('temperature', 'humidity', 'power'),
  installedAt: s.iso('second').default(now),
})
  .key({ pk: 'DEVICE#{deviceId}', sk: 'DEVICE' })
  .index('bySite', { pk: 'SITE#{site}', sk: '{kind}#{deviceId}' })
  .volume({ items: 50_000 })

/** What a device last said: one small item that is overwritten, rather than a query for the newest reading. */
const Latest = entity('Latest', { deviceId: s.ulid(), at: s.iso('second'), value: s.number() })
  .key({ pk: 'DEVICE#{deviceId}', sk: 'LATEST' })
  .volume({ items: 50_000 })

/** A day of a device is one partition key: writes are spread, and a day is one query. Old readings expire. */
const Reading = entity('Reading', {
  deviceId: s.ulid(),
  at: s.iso('second'),
  value: s.number(),
  expiresAt: s.ttl().default(secondsFromNow(90 * 86_400)),
})
  .key({ pk: 'READING#{deviceId}#{at:day}', sk: '{at}' })
  .volume({ items: 400_000_000, perPartition: 96, maxPerPartition: 1440 })

/** One item for each hour, written once the hour is over: for charts of weeks and months. */
const Hour = entity('Hour', {
  deviceId: s.ulid(),
  hour: s.iso('second'),
  least: s.number(),
  most: s.number(),
  average: s.number(),
})
  .key({ pk: 'HOURS#{deviceId}#{hour:month}', sk: '{hour}' })
  .volume({ items: 20_000_000, perPartition: 700, maxPerPartition: 744 })

export const sensors = model({
  name: 'sensors',
  owner: 'devices team',
  table: { indexes: { bySite: { projection: ['deviceId', 'kind'] } } },
  entities: { Device, Latest, Reading, Hour },
  patterns: (p) => ({
    device: p.query({
      description: 'A device and its latest reading, in one request',
      pk: 'DEVICE#{deviceId}',
      traffic: { rate: 50 },
      budget: { requests: 1, readUnits: 0.5 },
    }),
    devicesOfSite: p.query({ on: 'bySite', pk: 'SITE#{site}', limit: 100, traffic: { rate: 5 } }),
    readings: p.query({
      description: 'Of any period, day by day',
      pk: 'READING#{deviceId}#{at:day}',
      range: 'at',
      traffic: { rate: 20 },
    }),
    hours: p.query({ pk: 'HOURS#{deviceId}#{hour:month}', range: 'hour', traffic: { rate: 10 } }),
    install: p.create('Device', { traffic: { rate: 0.1 } }),
    report: p.transact(
      { 'Reading.put': 1, 'Latest.put': 1 },
      { description: 'A reading, which is also the latest', traffic: { rate: 55, peakRate: 500 } },
    ),
    sumUp: p.put('Hour', { traffic: { rate: 14 } }),
  }),
})
