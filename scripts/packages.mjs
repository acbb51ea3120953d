/** The packages that are inside the one that users install, each before those that are built on it. */
export const insidePackages = [
  'core',
  'engine',
  'postgres',
  'transfer',
  'server',
  'monitoring',
  'kinesis',
  'dax',
  'pipes',
  'lambda',
  'access',
  'templates',
  'cloudformation',
]
