import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { decisionsIn, repository } from '../stage.mjs'
import { tasks } from './tasks.mjs'

const staged = join(dirname(fileURLToPath(import.meta.url)), '..', 'staged')
const version = process.env['SITE_VERSION'] ?? 'next'
const base = process.env['SITE_BASE'] ?? '/'
const releases = (process.env['SITE_VERSIONS'] ?? '').split(' ').filter((tag) => tag !== '')
const isThere = ({ link }) => existsSync(join(staged, link.endsWith('/') ? `${link}index.md` : `${link}.md`))

export default defineConfig({
  title: 'hashrange',
  description: 'A DynamoDB-compatible database, a modelling library and a workbench',
  srcDir: 'staged',
  cleanUrls: false,
  lastUpdated: false,
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/' },
      { text: 'What is missing', link: '/missing' },
      { text: 'API', link: '/api/' },
      {
        text: version,
        items: ['next', ...releases].map((name) => ({
          text: name,
          // Another version is another site: the page has to be loaded anew.
          link: `${base}${name === 'next' ? '' : `${name}/`}index.html`,
          target: '_self',
          rel: '',
        })),
      },
    ].filter((entry) => entry.link === undefined || isThere(entry)),
    sidebar: [
      ...tasks.map(({ text, items }) => ({ text, collapsed: false, items: items.filter(isThere) })),
      {
        text: 'Decisions',
        collapsed: true,
        items: decisionsIn(staged).map(({ name, title }) => ({
          text: title,
          link: `/decisions/${name.replace('.md', '')}`,
        })),
      },
    ],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
    socialLinks: [{ icon: 'github', link: repository }],
  },
})
