// Bugs that were once in the store, or nearly so. `npm run simulate -- --plant NAME` puts one back, to prove that the simulation finds it.
// `seed` is the first that does, from 1. It is tried before others: when the store has come to do things in another order, others find it.

const lmdb = 'packages/engine/src/store/lmdb'

export const plantedBugs = {
  'recovery-holds-nothing': {
    what: 'LMDB reuses pages of the checkpoint while batches are brought in, and a stop then leaves nothing to recover from',
    seed: 158,
    file: `${lmdb}/recover-folder.ts`,
    find: 'this.held = [data.hold()]',
    replace: 'this.held = []',
  },
  'numbers-used-twice': {
    what: 'an append that fails is taken for one that never was, and its number is used again',
    seed: 235,
    file: `${lmdb}/journal.ts`,
    find: `    } catch (cause) {
      this.fail(cause)
      throw cause
    }
  }

  /** Nothing is written any more`,
    replace: `    } catch (cause) {
      this.#lastBatch--
      throw cause
    }
  }

  /** Nothing is written any more`,
  },
  'gaps-ignored': {
    what: 'a damaged record ends the log, whatever follows it',
    seed: 30,
    file: `${lmdb}/redo-records.ts`,
    find: 'missing: gap === -1 ? undefined : afterBatch + 1 + gap',
    replace: 'missing: undefined',
  },
  'failed-sync-forgiven': {
    what: 'a sync of the data file that fails is taken for one that can be repeated',
    seed: 1840,
    file: `${lmdb}/journal.ts`,
    find: 'this.fail(cause, true)',
    replace: 'this.fail(cause, false)',
  },
  'older-checkpoint-trusted': {
    what: 'when the latest checkpoint is damaged, the one before it is used, though its pages may be gone',
    seed: 48,
    file: `${lmdb}/redo-records.ts`,
    find: 'newerGeneration: newest > generation ? newest : undefined',
    replace: 'newerGeneration: undefined',
  },
  'copy-misses-writes': {
    what: 'what is written behind the place that a copy has reached is not brought into the copy',
    seed: 8,
    file: `${lmdb}/data-copy.ts`,
    find: 'if (this.#reached !== undefined && Buffer.compare(change.key, this.#reached) >= 0) continue',
    replace: 'if (change.key.length > 0) continue',
  },
  'copy-not-synced': {
    what: 'a copy takes the place of the data file before all of it is on disk',
    seed: 23,
    file: `${lmdb}/data-copy.ts`,
    find: `    await this.#syncing
    await this.file.sync()
  }`,
    replace: `    await this.#syncing
  }`,
  },
  'copy-renamed-unannounced': {
    what: 'a copy gets the name of the data file before a checkpoint says so',
    seed: 814,
    file: `${lmdb}/journal.ts`,
    find: 'await this.#checkpoints.writeBoth({ ...checkpoint, isReplacing: true })',
    replace: '',
  },
  'copy-not-held': {
    what: 'LMDB reuses pages of a copy that has become the data file, and that its checkpoint still needs',
    seed: 396,
    file: `${lmdb}/journal.ts`,
    find: `    this.#held = [held]
    const before`,
    replace: `    held.release()
    this.#held = []
    const before`,
  },
  'checkpoint-without-recent': {
    what: 'a checkpoint names the latest batch before the data file has it',
    seed: 5,
    file: `${lmdb}/buffered-data-file.ts`,
    find: `      await this.#write(layers)
      return work()`,
    replace: `      const answer = await work()
      await this.#write(layers)
      return answer`,
  },
  'log-switched-late': {
    what: 'the file of the log that a checkpoint makes obsolete gets batches that this checkpoint does not have',
    seed: 1169,
    file: `${lmdb}/journal.ts`,
    find: `    this.#log.switchFile()
    const { held, metaPages } = await this.data.flush(() => {`,
    replace: `    const { held, metaPages } = await this.data.flush(() => {
      this.#log.switchFile()`,
  },
  'rejected-changes-dropped': {
    what: 'what the data file rejects is taken for written',
    seed: 1,
    file: `${lmdb}/commit-in-order.ts`,
    find: `await file.commitChecked(some)`,
    replace: `await file.commitChecked(some).catch(() => undefined)`,
  },
  'deletions-forgotten': {
    what: 'a key that was deleted a moment ago is read from the data file',
    seed: 1,
    file: `${lmdb}/changes-in-range.ts`,
    find: `if (cursor.entry?.name === name) cursor.pass()
    return { key`,
    replace: `if (cursor.entry?.name === name) cursor.pass()
    if (value === undefined) return this.#take()
    return { key`,
  },
  'disk-tried-beside-commits': {
    what: 'whether the disk takes writes again is tried behind the pages of the data file, while LMDB writes some there',
    seed: 1,
    file: `${lmdb}/journal.ts`,
    find: `await this.data.exclusively(() => this.#assertRoom())`,
    replace: `await this.#assertRoom()`,
  },
}
