import {
  Boxes,
  Flame,
  Globe,
  Layers,
  Rows3,
  Search,
  Table2,
  Terminal,
  Waves,
  Zap,
} from '../icons/icons.generated.ts'
import { lazy, type ComponentType, type ReactNode } from 'react'

export interface ViewProps {
  /** The table in the path, decoded; undefined if the path has none. */
  readonly table: string | undefined
}

export interface View {
  /** The first part of the path: `/_workbench/<path>/<table>`. */
  readonly path: string
  readonly title: string
  readonly icon: ReactNode
  /** The second key of the shortcut `G <key>`. */
  readonly key: string
  /** Whether it shows one table: the picker of tables then changes what it shows. */
  readonly isOfTable: boolean
  readonly component: ComponentType<ViewProps>
}

/** The views there are, in the order of the navigation. Each is a folder here whose index.tsx exports it as default, and is
 *  loaded when it is first opened. */
export const views: readonly View[] = [
  {
    path: 'tables',
    title: 'Tables',
    icon: <Table2 />,
    key: 'T',
    isOfTable: true,
    component: lazy(() => import('./tables/index.tsx')),
  },
  {
    path: 'items',
    title: 'Items',
    icon: <Rows3 />,
    key: 'I',
    isOfTable: true,
    component: lazy(() => import('./items/index.tsx')),
  },
  {
    path: 'collections',
    title: 'Collections',
    icon: <Layers />,
    key: 'C',
    isOfTable: true,
    component: lazy(() => import('./collections/index.tsx')),
  },
  {
    path: 'query',
    title: 'Query',
    icon: <Search />,
    key: 'Q',
    isOfTable: true,
    component: lazy(() => import('./query/index.tsx')),
  },
  {
    path: 'partiql',
    title: 'PartiQL',
    icon: <Terminal />,
    key: 'P',
    isOfTable: true,
    component: lazy(() => import('./partiql/index.tsx')),
  },
  {
    path: 'model',
    title: 'Model',
    icon: <Boxes />,
    key: 'M',
    isOfTable: false,
    component: lazy(() => import('./model/index.tsx')),
  },
  {
    path: 'heat',
    title: 'Heat',
    icon: <Flame />,
    key: 'H',
    isOfTable: true,
    component: lazy(() => import('./heat/index.tsx')),
  },
  {
    path: 'streams',
    title: 'Streams',
    icon: <Waves />,
    key: 'S',
    isOfTable: true,
    component: lazy(() => import('./streams/index.tsx')),
  },
  {
    path: 'triggers',
    title: 'Triggers',
    icon: <Zap />,
    key: 'E',
    isOfTable: true,
    component: lazy(() => import('./triggers/index.tsx')),
  },
  {
    path: 'regions',
    title: 'Regions',
    icon: <Globe />,
    key: 'R',
    isOfTable: false,
    component: lazy(() => import('./regions/index.tsx')),
  },
]
