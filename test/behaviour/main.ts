import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { open } from 'hashrange'
import { ask, type Answers } from './ask.ts'
import { differencesOf, writeRecording } from './recording.ts'

const help = `Asks a database what it answers, and records it beside the tests.

Usage: HASHRANGE_ASK=PLACE npm run ask

  PLACE is aws, for the account and the region that the AWS SDK finds; the address of any server that speaks
  DynamoDB's API, such as http://localhost:8000; or hashrange, for this version of it. Two tables are made, used for a
  few dozen requests, and deleted: on AWS this costs less than a cent.

The recording is written to test/behaviour/recordings. What hashrange answers otherwise is printed: either it is a
defect, or its reason belongs into "differences" of the recording. npm test compares hashrange with all recordings.
`

const place = process.env['HASHRANGE_ASK']
if (place === undefined || place === '' || process.argv.length > 2) {
  process.stdout.write(help)
  process.exitCode = place === undefined ? 2 : 0
} else {
  await record(place)
}

async function record(asked: string): Promise<void> {
  const prefix = `hashrange-ask-${Date.now().toString(36)}`
  await using db = await open()
  const ours = await ask(db.client, prefix)
  const { from, answers } = asked === 'hashrange' ? { from: asked, answers: ours } : await askAt(asked, prefix)
  const different = differencesOf(answers, ours)
  const file = writeRecording({
    from,
    recordedOn: new Date().toISOString().slice(0, 10),
    answers,
    differences: Object.fromEntries(different.map((question) => [question, ''])),
  })
  process.stdout.write(`Recorded ${Object.keys(answers).length} answers of ${from} in ${file}\n`)
  for (const question of different) {
    process.stdout.write(`\n${question}\n  ${from}: ${JSON.stringify(answers[question])}\n`)
    process.stdout.write(`  hashrange: ${JSON.stringify(ours[question])}\n`)
  }
}

async function askAt(place: string, prefix: string): Promise<{ readonly from: string; readonly answers: Answers }> {
  const local = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
  const client = new DynamoDB(place === 'aws' ? {} : { endpoint: place, ...local })
  try {
    const answers = await ask(client, prefix)
    return { from: place === 'aws' ? `aws ${await client.config.region()}` : place, answers }
  } finally {
    client.destroy()
  }
}
