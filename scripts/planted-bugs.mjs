// Bugs that were once in the store. `npm run simulate -- --plant NAME` puts one back, to prove that the simulation finds it.

const lmdb = 'packages/engine/src/store/lmdb'

export const plantedBugs = {
  'recovery-holds-nothing': {
    what: 'LMDB reuses pages of the checkpoint while batches are brought in, and a stop then leaves nothing to recover from',
    file: `${lmdb}/recover-folder.ts`,
    find: 'this.held = [data.hold()]',
    replace: 'this.held = []',
  },
  'numbers-used-twice': {
    what: 'an append that fails is taken for one that never was, and its number is used again',
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
    file: `${lmdb}/redo-records.ts`,
    find: 'missing: gap === -1 ? undefined : afterBatch + 1 + gap',
    replace: 'missing: undefined',
  },
  'failed-sync-forgiven': {
    what: 'a sync of the data file that fails is taken for one that can be repeated',
    file: `${lmdb}/journal.ts`,
    find: 'this.fail(cause, true)',
    replace: 'this.fail(cause, false)',
  },
  'older-checkpoint-trusted': {
    what: 'when the latest checkpoint is damaged, the one before it is used, though its pages may be gone',
    file: `${lmdb}/redo-records.ts`,
    find: 'newerGeneration: newest > generation ? newest : undefined',
    replace: 'newerGeneration: undefined',
  },
}
