import { createElement, type ReactNode, type SVGProps } from 'react'

export type IconNode = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]

/** An icon of 24 × 24 units, drawn with the colour of the text. Without a label, it only decorates. */
export function iconOf(node: IconNode): (props: SVGProps<SVGSVGElement>) => ReactNode {
  return function Icon(props) {
    return (
      <svg
        width={24}
        height={24}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={props['aria-label'] === undefined}
        {...props}
      >
        {node.map(([tag, attributes], position) => createElement(tag, { key: position, ...attributes }))}
      </svg>
    )
  }
}
