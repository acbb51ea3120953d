import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { good, note, problem, type Finding } from './finding.ts'

/** The newest of what the AWS SDK for JavaScript requires, from January 2027. */
const nodeOfSdk = 22
const oldestNode = 20
const scarceBytes = 1024 ** 3

export function checkNode(version: string): Finding {
  const major = Number(version.split('.', 1)[0])
  if (major < oldestNode)
    return problem(`Node.js ${version} is too old.`, `Install Node.js ${oldestNode} or newer: https://nodejs.org`)
  if (major < nodeOfSdk) {
    return note(
      `Node.js ${version} is supported.`,
      `The AWS SDK for JavaScript needs Node.js ${nodeOfSdk} from January 2027.`,
    )
  }
  return good(`Node.js ${version} is supported.`)
}

/** The folder that holds the data, or the one that it would be created in. Nothing is opened: a server may be using
 *  it. */
export function checkFolder(path: string): readonly Finding[] {
  const folder = resolve(path)
  const isThere = existsSync(folder)
  if (isThere && !statSync(folder).isDirectory())
    return [problem(`${folder} is a file.`, 'Choose another data folder with --path.')]
  const nearest = isThere ? folder : nearestFolder(dirname(folder))
  if (!statSync(nearest).isDirectory())
    return [
      problem(`${folder} cannot be created: ${nearest} is a file.`, 'Choose another data folder with --path.'),
    ]
  const findings: Finding[] = []
  if (isWritable(nearest)) {
    findings.push(
      isThere ? good(`The data folder is ${folder}.`) : good(`There is no data yet: ${folder} can be created.`),
    )
  } else {
    findings.push(
      problem(
        `${isThere ? folder : `${folder} cannot be created: ${nearest}`} is not writable.`,
        'Fix its permissions, or choose another data folder with --path.',
      ),
    )
  }
  return [...findings, ...checkDisk(nearest)]
}

function checkDisk(folder: string): readonly Finding[] {
  const { bavail, bsize, type } = statfsSync(folder)
  const name = remoteFileSystems.get(type)
  const findings: Finding[] = []
  if (name !== undefined) {
    findings.push(
      problem(
        `${folder} is on a network file system (${name}), which cannot protect the data from two servers at once.`,
        'Put the data folder on a local disk with --path, or use PostgreSQL with --store.',
      ),
    )
  }
  const free = bavail * bsize
  if (free < scarceBytes) {
    findings.push(
      problem(
        `${folder} has only ${Math.floor(free / 1024 ** 2)} MB of free space.`,
        'Free some space: the server stops writing when the disk is full.',
      ),
    )
  }
  return findings
}

/** By the numbers that Linux gives them. */
const remoteFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
])

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
