import { createElement, type SVGProps } from 'react'

interface Drawing {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

/**
 * Stands in for `createLucideIcon` of lucide-react (vite.config.ts): an icon is an svg with the drawing's elements. Size, colour and
 * width of the lines are a matter of classes here, as are the words for it (`aria-hidden`, or a text beside it).
 */
const createIcon =
  ({ node }: Drawing) =>
  (props: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        viewBox: '0 0 24 24',
        width: 24,
        height: 24,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )

export { createIcon as default }
