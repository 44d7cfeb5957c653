export const shaPattern = /^([0-9a-f]{40}|[0-9a-f]{64})$/

/** Names of refs and shas only, as `git check-ref-format` has it: no expressions, which may search the whole history. */
export const isName = (text: string): boolean =>
  text !== '' && text.length <= 1_000 && !/^[-/.]|[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|[/.]$/u.test(text)
