export const shaPattern = /^([0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * Whether `text` is a ref or a sha according to `git check-ref-format`. Expressions are refused,
 * because they can search the whole history.
 */
export const isName = (text: string): boolean =>
  text !== '' && text.length <= 1_000 && !/^[-/.]|[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|[/.]$/u.test(text)
