/** The pages by what one wants to do: the same order as in docs/README.md, which is the first page. */
export const tasks = [
  {
    text: 'Begin',
    items: [
      { text: 'By task', link: '/' },
      { text: 'Your first model', link: '/tutorial' },
      { text: 'Coming from DynamoDB Local', link: '/from-dynamodb-local' },
      { text: 'Compatibility', link: '/compatibility' },
      { text: 'What is missing', link: '/missing' },
      { text: 'Glossary', link: '/glossary' },
    ],
  },
  {
    text: 'Embed',
    items: [
      { text: 'Inside your process', link: '/embedding' },
      { text: 'PartiQL', link: '/partiql' },
      { text: 'API reference', link: '/api/' },
    ],
  },
  {
    text: 'Test',
    items: [
      { text: 'In your test runner', link: '/test-runners' },
      { text: 'In containers', link: '/testcontainers' },
      { text: 'Seeds', link: '/seeds' },
      { text: 'Branches and snapshots', link: '/branches' },
      { text: 'Capacity and consistency', link: '/capacity' },
    ],
  },
  {
    text: 'Serve',
    items: [
      { text: 'Tables from your files', link: '/templates' },
      { text: 'The workbench', link: '/workbench/' },
      { text: 'Streams, TTL, backups', link: '/time' },
      { text: 'Functions and triggers', link: '/events' },
      { text: 'Kinesis', link: '/kinesis' },
      { text: 'Pipes', link: '/pipes' },
      { text: 'DAX', link: '/dax' },
      { text: 'CloudFormation', link: '/cloudformation' },
      { text: 'Configuration file', link: '/configuration' },
    ],
  },
  {
    text: 'Model',
    items: [
      { text: 'The model', link: '/model' },
      { text: 'Changes and derived items', link: '/derived' },
    ],
  },
  {
    text: 'Migrate',
    items: [
      { text: 'Versions of a model', link: '/migration' },
      { text: 'Export, import, copy', link: '/transfer' },
      { text: 'Upgrading', link: '/about/upgrading' },
    ],
  },
  {
    text: 'Operate',
    items: [
      { text: 'Running hashrange', link: '/operations' },
      { text: 'Security', link: '/security' },
      { text: 'Scaling and alarms', link: '/scaling' },
      { text: 'Global tables', link: '/global-tables' },
      { text: 'How far it scales', link: '/scale' },
      { text: 'Performance', link: '/performance' },
    ],
  },
  {
    text: 'How it is built',
    items: [
      { text: 'Architecture', link: '/about/architecture' },
      { text: 'The bytes on disk', link: '/storage-format' },
      { text: 'How it is tested', link: '/testing' },
      { text: 'Contributing', link: '/about/contributing' },
      { text: 'Changelog', link: '/about/changelog' },
    ],
  },
]
