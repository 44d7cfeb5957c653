/**
 * What to do about a build without stages, by the error message of our server
 * (`builds/pipeline-config.ts`).
 */
export const remedyOf = (error: string): string => {
  if (/^configuration: \S.* not found at /.test(error))
    return 'Commit a pipeline file with this name, or set a different path in the repository settings, then push.'
  if (/^configuration: \S.* is empty at /.test(error)) return 'Add a pipeline to the file and push.'
  if (/^configuration: \S.* is (?:Starlark|Jsonnet), /.test(error))
    return 'Commit a YAML pipeline file, set its path in the repository settings, then push.'
  if (error.startsWith('configuration:'))
    return 'Check that the server can read the repository, then restart the build.'
  return 'Fix the file and push; that starts a new build. Restarting reuses the old file.'
}
