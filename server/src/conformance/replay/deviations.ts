/**
 * Exchanges with an intentionally different response, each with the subject of the line in
 * `docs/decisions/drone.md` that explains it.
 */
const bySubject: Readonly<Record<string, readonly string[]>> = {
  'unknown commit or branch': ['builds 47', 'builds 48'],
  'files of the page': ['errors 10', 'errors 11', 'errors 12'],
  '`/link/…`': ['errors 13', 'errors 14', 'errors 15', 'errors 16'],
  '`/` signed out': ['login 0'],
  'after signing in': ['login 8', 'login 9', 'login 10', 'login 11', 'login 12', 'login 29'],
  'signing out': ['login 17'],
  'login message': ['login 26', 'login 27'],
  'password in the address': ['login 13'],
  'unknown person signs in': ['login 25'],
  'log of a silent step': ['logs 23'],
  'values of settings': ['repos 38'],
  'synchronising a machine account': ['roles 8'],
  '`POST /api/users` with `{}`': ['users 8'],
  'templates, the 0.8 format': ['roles-table 61'],
  'disabled account': ['roles 0', 'roles 1', 'roles 3', 'roles 4', 'roles 5'],
  'list of collaborators': ['collaborators 1', 'roles-table 147', 'roles-table 148', 'roles-table 153'],
  'taking a card away': ['cards 10', 'cards 11'],
  'cron expression of five fields; of times closer than a minute': ['cron 6'],
  'approve, decline': ['gate 2', 'gate 9', 'gate 17', 'gate 18', 'roles-table 206', 'roles-table 337'],
}

/** `file index` → subject. */
export const deviations: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(bySubject).flatMap(([subject, keys]) => keys.map((key) => [key, subject])),
)
