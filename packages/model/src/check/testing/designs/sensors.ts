import { entity, model, now, s } from '../../../index.ts'

/** Sensors: readings in a partition for each device and day, their latest values, and alarms. */
export const sensors = () => {
  const Device = entity('Device', { deviceId: s.uuid(), site: s.ulid(), model: s.enum('a', 'b') })
    .key({ pk: 'DEVICE#{deviceId}', sk: 'DEVICE' })
    .index('bySite', { pk: 'SITE#{site}', sk: 'DEVICE#{deviceId}' })
    .volume({ items: 50_000 })
  const Reading = entity('Reading', {
    deviceId: s.uuid(),
    at: s.iso('second'),
    celsius: s.number(),
    expiresAt: s.ttl(),
  })
    .key({ pk: 'READINGS#{deviceId}#{at:day}', sk: '{at}' })
    .volume({ items: 4_000_000_000, perPartition: 1440, maxPerPartition: 1440 })
  const Latest = entity('Latest', { deviceId: s.uuid(), at: s.iso('second'), celsius: s.number() })
    .key({ pk: 'DEVICE#{deviceId}', sk: 'LATEST' })
    .volume({ items: 50_000 })
  const Alarm = entity('Alarm', {
    deviceId: s.uuid(),
    raisedAt: s.iso().default(now),
    state: s.enum('raised', 'over'),
    site: s.ulid(),
  })
    .key({ pk: 'DEVICE#{deviceId}', sk: 'ALARM#{raisedAt}' })
    .index('raised', { pk: 'ALARMS#{site}', sk: '{raisedAt}#{deviceId}', when: { state: 'raised' } })
    .volume({ items: 1_000_000, perPartition: 20, maxPerPartition: 5_000 })
  return model({
    name: 'sensors',
    owner: 'team',
    entities: { Device, Reading, Latest, Alarm },
    patterns: (p) => ({
      device: p.get('Device', { traffic: { rate: 20 } }),
      devices: p.query({ on: 'bySite', pk: 'SITE#{site}', limit: 100, traffic: { rate: 5 } }),
      record: p.create('Reading', { traffic: { rate: 800 } }),
      readings: p.query({ pk: 'READINGS#{deviceId}#{at:day}', limit: 500, traffic: { rate: 10 } }),
      saveLatest: p.upsert('Latest', { traffic: { rate: 800 } }),
      latest: p.get('Latest', { traffic: { rate: 100 } }),
      alarm: p.create('Alarm', { traffic: { rate: 2 } }),
      alarms: p.query({
        pk: 'DEVICE#{deviceId}',
        sk: 'ALARM#*',
        range: 'raisedAt',
        order: 'desc',
        limit: 50,
        traffic: { rate: 5 },
      }),
      raised: p.query({ on: 'raised', pk: 'ALARMS#{site}', limit: 100, traffic: { rate: 5 } }),
      endAlarm: p.modify('Alarm', { changes: ['state'], traffic: { rate: 2 } }),
    }),
  })
}
