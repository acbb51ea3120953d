import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { DatabaseControl } from './server-group.ts'

// This file is built to test/dist/histories/servers.
const script = fileURLToPath(new URL('../../../../scripts/citus.sh', import.meta.url))

/** What can happen to the first worker of a cluster that scripts/citus.sh has started on this machine. */
export async function controlOfWorker(coordinatorUrl: string): Promise<DatabaseControl | undefined> {
  const folder = await folderOfWorker(coordinatorUrl)
  if (folder === undefined || !existsSync(folder) || !/^\d$/.test(basename(folder))) return undefined
  const run = (command: string): void => {
    execFileSync('bash', [script, command, basename(folder)], {
      env: { ...process.env, CITUS_FOLDER: dirname(folder) },
      stdio: 'ignore',
    })
  }
  const crash = async (): Promise<void> => {
    run('kill')
    await pause(300)
    run('revive')
  }
  return {
    restart: crash,
    crash,
    stop: async (milliseconds) => {
      run('pause')
      try {
        await pause(milliseconds)
      } finally {
        run('resume')
      }
    },
  }
}

async function folderOfWorker(coordinatorUrl: string): Promise<string | undefined> {
  const client = new Client({ connectionString: coordinatorUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ result: string }>(
      "SELECT result FROM run_command_on_workers('SHOW data_directory') WHERE success ORDER BY nodeport LIMIT 1",
    )
    return rows[0]?.result
  } finally {
    await client.end()
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
