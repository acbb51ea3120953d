import { entity, model, now, s, ulid } from '../../../index.ts'

const slug = () => s.string().size(16, 39).check(withoutHash())

/** Names as code hosts allow them. */
function withoutHash() {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: (value: unknown) =>
        typeof value === 'string' && /^[\w.-]+$/.test(value)
          ? { value }
          : { issues: [{ message: 'use letters, digits, dots and hyphens' }] },
    },
  }
}

const Account = entity('Account', {
  account: slug(),
  kind: s.enum('user', 'organization'),
  email: s.string().size(30),
  bio: s.string().size(80).optional(),
  createdAt: s.iso().default(now),
})
  .key({ pk: 'ACCOUNT#{account}', sk: 'ACCOUNT' })
  .unique('email')
  .volume({ items: 2_000_000 })

const Membership = entity('Membership', { account: slug(), member: slug(), role: s.enum('member', 'admin') })
  .key({ pk: 'ACCOUNT#{account}', sk: 'MEMBER#{member}' })
  .index('gsi1', { pk: 'MEMBER#{member}', sk: 'ORG#{account}' })
  .volume({ items: 5_000_000, perPartition: 20, maxPerPartition: 5_000 })

const Repository = entity('Repository', {
  account: slug(),
  repository: slug(),
  visibility: s.enum('public', 'private'),
  description: s.string().size(80),
  stars: s.int().range(0, 9_999_999).default(0),
  issueCount: s.int().default(0),
  pushedAt: s.iso().default(now),
})
  .key({ pk: 'ACCOUNT#{account}', sk: 'REPO#{repository}' })
  .index('gsi1', { pk: 'REPOS#{account}', sk: '{pushedAt}#{repository}' })
  .volume({ items: 10_000_000, perPartition: 8, maxPerPartition: 10_000 })

const Issue = entity('Issue', {
  account: slug(),
  repository: slug(),
  number: s.int().range(1, 99_999_999),
  title: s.string().size(60),
  author: slug(),
  state: s.enum('open', 'closed'),
  updatedAt: s.iso().default(now),
})
  .key({ pk: 'REPO#{account}#{repository}', sk: 'ISSUE#{number:08}' })
  .index('gsi1', { pk: 'OPEN#{account}#{repository}', sk: '{number:08:desc}', when: { state: 'open' } })
  .index('gsi2', { pk: 'AUTHOR#{author}', sk: 'ISSUE#{updatedAt}#{number:08}' })
  .volume({ items: 100_000_000, perPartition: 30, maxPerPartition: 200_000 })

const PullRequest = entity('PullRequest', {
  account: slug(),
  repository: slug(),
  number: s.int().range(1, 99_999_999),
  title: s.string().size(60),
  author: slug(),
  state: s.enum('open', 'merged', 'closed'),
  head: s.string().size(40),
  updatedAt: s.iso().default(now),
})
  .key({ pk: 'PULLS#{account}#{repository}', sk: 'PULL#{number:08}' })
  .index('gsi1', { pk: 'OPENPULLS#{account}#{repository}', sk: '{number:08:desc}', when: { state: 'open' } })
  .index('gsi2', { pk: 'AUTHOR#{author}', sk: 'PULL#{updatedAt}#{number:08}' })
  .volume({ items: 50_000_000, perPartition: 20, maxPerPartition: 100_000 })

const Comment = entity('Comment', {
  account: slug(),
  repository: slug(),
  number: s.int().range(1, 99_999_999),
  commentId: s.ulid().default(ulid),
  author: slug(),
  text: s.string().size(300),
})
  .key({ pk: 'COMMENTS#{account}#{repository}#{number:08}', sk: '{commentId}' })
  .volume({ items: 300_000_000, perPartition: 4, maxPerPartition: 5_000 })

const Star = entity('Star', { account: slug(), repository: slug(), fan: slug(), starredAt: s.iso().default(now) })
  .key({ pk: 'STARS#{account}#{repository}', sk: 'FAN#{fan}' })
  .index('gsi1', { pk: 'FAN#{fan}', sk: '{starredAt}#{account}#{repository}' })
  .volume({ items: 200_000_000, perPartition: 20, maxPerPartition: 400_000 })

const Release = entity('Release', {
  account: slug(),
  repository: slug(),
  publishedAt: s.iso().default(now),
  tag: s.string().size(10),
  notes: s.string().size(400),
})
  .key({ pk: 'RELEASES#{account}#{repository}', sk: '{publishedAt}' })
  .volume({ items: 5_000_000, perPartition: 10, maxPerPartition: 2_000 })

const Counter = entity('Counter', { account: slug(), repository: slug(), next: s.int().default(1) })
  .key({ pk: 'NUMBERS#{account}#{repository}', sk: 'NUMBERS' })
  .volume({ items: 10_000_000 })

/** A code host: 34 patterns over nine entities, two overloaded indexes. */
export const codeHost = () =>
  model({
    name: 'code-host',
    owner: 'team',
    entities: { Account, Membership, Repository, Issue, PullRequest, Comment, Star, Release, Counter },
    patterns: (p) => ({
      account: p.get('Account', { traffic: { rate: 500 } }),
      accountByEmail: p.lookup('Account', 'email', { traffic: { rate: 20 } }),
      signUp: p.create('Account', { traffic: { rate: 2 } }),
      changeBio: p.update('Account', { changes: ['bio'], traffic: { rate: 1 } }),
      changeEmail: p.update('Account', { changes: ['email'], traffic: { rate: 0.1 } }),
      members: p.query({ pk: 'ACCOUNT#{account}', sk: 'MEMBER#*', limit: 100, traffic: { rate: 20 } }),
      organizations: p.query({ on: 'gsi1', pk: 'MEMBER#{member}', sk: 'ORG#*', limit: 100, traffic: { rate: 50 } }),
      join: p.transact({ 'Account.check': 1, 'Membership.create': 1 }, { traffic: { rate: 1 } }),
      promote: p.update('Membership', { changes: ['role'], traffic: { rate: 0.1 } }),
      leave: p.delete('Membership', { traffic: { rate: 0.5 } }),
      repository: p.get('Repository', { traffic: { rate: 800 } }),
      repositoriesByName: p.query({ pk: 'ACCOUNT#{account}', sk: 'REPO#*', limit: 50, traffic: { rate: 50 } }),
      recentRepositories: p.query({
        on: 'gsi1',
        pk: 'REPOS#{account}',
        order: 'desc',
        limit: 30,
        traffic: { rate: 100 },
      }),
      createRepository: p.transact({ 'Repository.create': 1, 'Counter.create': 1 }, { traffic: { rate: 3 } }),
      push: p.update('Repository', { changes: ['pushedAt'], traffic: { rate: 100 } }),
      deleteRepository: p.delete('Repository', { traffic: { rate: 0.2 } }),
      issue: p.get('Issue', { traffic: { rate: 200 } }),
      issues: p.query({
        pk: 'REPO#{account}#{repository}',
        sk: 'ISSUE#*',
        range: 'number',
        limit: 50,
        traffic: { rate: 40 },
      }),
      openIssues: p.query({ on: 'gsi1', pk: 'OPEN#{account}#{repository}', limit: 25, traffic: { rate: 200 } }),
      issuesOfAuthor: p.query({
        on: 'gsi2',
        pk: 'AUTHOR#{author}',
        sk: 'ISSUE#*',
        order: 'desc',
        limit: 25,
        traffic: { rate: 20 },
      }),
      nextNumber: p.update('Counter', { changes: ['next'], traffic: { rate: 20 } }),
      openIssue: p.create('Issue', { traffic: { rate: 10 } }),
      closeIssue: p.modify('Issue', { changes: ['state'], traffic: { rate: 8 } }),
      pull: p.get('PullRequest', { traffic: { rate: 200 } }),
      openPulls: p.query({ on: 'gsi1', pk: 'OPENPULLS#{account}#{repository}', limit: 25, traffic: { rate: 150 } }),
      pullsOfAuthor: p.query({
        on: 'gsi2',
        pk: 'AUTHOR#{author}',
        sk: 'PULL#*',
        order: 'desc',
        limit: 25,
        traffic: { rate: 20 },
      }),
      openPull: p.create('PullRequest', { traffic: { rate: 5 } }),
      mergePull: p.modify('PullRequest', { changes: ['state'], traffic: { rate: 4 } }),
      comments: p.query({ pk: 'COMMENTS#{account}#{repository}#{number:08}', limit: 50, traffic: { rate: 200 } }),
      comment: p.create('Comment', { traffic: { rate: 30 } }),
      star: p.put('Star', { traffic: { rate: 20 } }),
      stargazers: p.query({ pk: 'STARS#{account}#{repository}', limit: 50, traffic: { rate: 5 } }),
      starredBy: p.query({ on: 'gsi1', pk: 'FAN#{fan}', order: 'desc', limit: 30, traffic: { rate: 10 } }),
      latestRelease: p.query({
        pk: 'RELEASES#{account}#{repository}',
        order: 'desc',
        limit: 1,
        traffic: { rate: 80 },
      }),
    }),
  })
