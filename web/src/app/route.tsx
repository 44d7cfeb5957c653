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

/** A visit to a URL: what was clicked to open it, and whether the user has left it again. */
export interface Visit {
  via: Via | undefined
  isOver: () => boolean
}

/** A query that starts as soon as its key is known: together with the page's code, not after it. */
export interface Read {
  key: string
  start: (visit: Visit) => Promise<unknown>
}

/**
 * Specification §6: `everybody`, even signed out; `administrators` of the system. `visitors`:
 * signed-in users and, with `--public-pages`, guests of a public repository.
 */
export type Audience = 'everybody' | 'visitors' | 'signed-in' | 'administrators'

/** The route that matches a URL. */
export interface Match {
  audience: Audience
  params: Readonly<Record<string, string | undefined>>
  draw: () => ReactNode
  /** Loads the code of everything that is rendered. */
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
  /** The page's props, if they are not the parameters; `undefined` shows the not-found page. */
  props?: (params: Params) => Props | undefined
  /** The audience; signed-in users by default. */
  for?: Audience
  /** The layouts around the page, outermost first; each receives the parameters. */
  within?: readonly Part<Params & { children: ReactNode }>[]
  /** A page with a different key is mounted again, instead of getting new props. */
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

/** The parameters of a URL, or `undefined` if it does not match the pattern. */
const readParams = (pattern: readonly string[], pathname: string): Record<string, string | undefined> | undefined => {
  const parts = partsOfPath(pathname)
  if (parts.length > pattern.length) return undefined
  const params: Record<string, string | undefined> = {}
  for (const [index, segment] of pattern.entries()) {
    const part = parts[index]
    if (!segment.startsWith(':')) {
      if (part !== segment) return undefined
    } else if (part) params[segment.replace(/^:|\?$/g, '')] = decoded(part)
    else if (part === '' || !segment.endsWith('?')) return undefined
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
    const pageProps = props ? props(params) : (params as unknown as Props)
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
          pageProps ? <Page key={key} {...pageProps} /> : <NotFound />,
        ),
      load: () => [...within, page].flatMap((part) => part.load?.() ?? []),
      reads: reads?.(params) ?? [],
    }
  }
  return { path, match }
}
