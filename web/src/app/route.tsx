import type { ComponentType, ReactNode } from 'react'

import type { Via } from '../browser/navigation.tsx'
import { NotFound } from './not-found.ts'

type ParamOf<Part> = Part extends `:${infer Name}?`
  ? { [key in Name]?: string }
  : Part extends `:${infer Name}`
    ? { [key in Name]: string }
    : object

/** `/:namespace/:name/:build?` → `{ namespace: string; name: string; build?: string }`. */
export type ParamsOf<Path> = Path extends `/${infer First}/${infer Rest}`
  ? ParamOf<First> & ParamsOf<`/${Rest}`>
  : Path extends `/${infer Last}`
    ? ParamOf<Last>
    : object

/** A page or a layout; lazy ones can be prefetched (browser/lazy-part.tsx). */
type Part<P> = ((props: P) => ReactNode) & { load?: () => Promise<unknown> }

/** Of the reader's coming to an address: what was pressed for it, and whether the reader has left it again. */
export interface Visit {
  via: Via | undefined
  isOver: () => boolean
}

/** A read that starts when its key is first there: together with the code of the page, not after it. */
export interface Read {
  key: string
  start: (visit: Visit) => Promise<unknown>
}

/**
 * Specification §6: `everybody`, even signed out; `administrators` of the system. `visitors`: signed-in users and, with
 * `--public-pages`, guests of a public repository.
 */
export type Audience = 'everybody' | 'visitors' | 'signed-in' | 'administrators'

/** The route that matches a URL. */
export interface Match {
  audience: Audience
  params: Readonly<Record<string, string | undefined>>
  draw: () => ReactNode
  /** Fetches the code of everything that is drawn. */
  load: () => Promise<unknown>[]
  reads: readonly Read[]
}

export interface Route {
  path: string
  /** `undefined` if the path belongs to another page. */
  match: (pathname: string) => Match | undefined
}

interface Options<Params, Props extends object> {
  page: Part<Props>
  /** What the page is given, when it is not the parameters themselves; `undefined` shows the not-found page. */
  props?: (params: Params) => Props | undefined
  /** Which people may open it; signed-in people by default. */
  for?: Audience
  /** The layouts around the page, outermost first; each receives the parameters. */
  within?: readonly Part<Params & { children: ReactNode }>[]
  /** A page with another key is mounted anew, instead of getting new properties. */
  keyed?: (params: Params) => string
  reads?: (params: Params) => Read[]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const partsOfPath = (path: string): string[] => (path === '/' ? [] : path.slice(1).split('/'))

/** The parameters of an address, or `undefined` when the pattern does not fit it. */
const readParams = (pattern: readonly string[], pathname: string): Record<string, string | undefined> | undefined => {
  const parts = partsOfPath(pathname)
  if (parts.length > pattern.length) return undefined
  const params: Record<string, string | undefined> = {}
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index]
    if (!wanted.startsWith(':')) {
      if (part !== wanted) return undefined
    } else if (part) params[wanted.replace(/^:|\?$/g, '')] = decoded(part)
    else if (part === '' || !wanted.endsWith('?')) return undefined
  }
  return params
}

/** One row of the URL map (routes.tsx). The parameters' types come from the path. */
export function route<const Path extends string, Props extends object = ParamsOf<Path>>(
  path: Path,
  { page, props, for: audience = 'signed-in', within = [], keyed, reads }: Options<ParamsOf<Path>, Props>,
): Route {
  type Params = ParamsOf<Path>
  const pattern = partsOfPath(path)
  const match = (pathname: string): Match | undefined => {
    const found = readParams(pattern, pathname)
    if (!found) return undefined
    const params = found as Params
    const given = props ? props(params) : (params as unknown as Props)
    const key = keyed?.(params)
    const Page = page as ComponentType<Props>
    return {
      audience,
      params: found,
      draw: () =>
        within.reduceRight<ReactNode>(
          (inner, part) => {
            const Around = part as ComponentType<Params & { children: ReactNode }>
            return (
              <Around key={key} {...params}>
                {inner}
              </Around>
            )
          },
          given ? <Page key={key} {...given} /> : <NotFound />,
        ),
      load: () => [...within, page].flatMap((part) => part.load?.() ?? []),
      reads: reads?.(params) ?? [],
    }
  }
  return { path, match }
}
