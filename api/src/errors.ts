/** Texts of the API that clients compare literally (docs/api §0, §2.0). */
export const texts = {
  notFound: 'Not Found',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  noRows: 'sql: no rows in result set',
} as const

/** A call that failed: the response was not successful, or there was none (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
  }
}
