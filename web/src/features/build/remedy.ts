/** What to do about a build that has no stages. The words of the errors are our server's (`server/src/builds/config.ts`). */
export const remedyOf = (error: string): string => {
  if (/^configuration: \S.* not found at /.test(error))
    return 'Commit a pipeline file of this name, or name another one in the settings of the repository; then push.'
  if (/^configuration: \S.* is empty at /.test(error)) return 'Write a pipeline into the file, and push it.'
  if (/^configuration: \S.* is (?:Starlark|Jsonnet), /.test(error))
    return 'Commit a pipeline file in YAML, and name it in the settings of the repository; then push.'
  if (error.startsWith('configuration:'))
    return 'Check that the repository can be read on the server, then restart the build.'
  return 'Correct the file and push it: that starts a build of its own. A restart uses the file as it was.'
}
