import { cronZone } from '../../api/capabilities.ts'
import { useMe } from '../../api/session.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CronPreview } from './cron-preview.tsx'
import { cronSchedules } from './names.ts'

/** Readings: other expressions come after the five schedules. */
const ownSchedule = 'own'
const schedules = [
  ...cronSchedules.map((schedule) => ({ value: schedule, label: schedule })),
  { value: ownSchedule, label: 'Custom expression…' },
]
const expressionHelp = 'Second, minute, hour, day, month, weekday; or @every 90m'

/** The selected schedule, and a typed custom expression. */
export interface Schedule {
  schedule: string
  own: string
}

const isOwn = ({ schedule }: Schedule): boolean => schedule === ownSchedule
export const expressionOf = (schedule: Schedule): string => (isOwn(schedule) ? schedule.own.trim() : schedule.schedule)
/** The fields for an expression. */
export const scheduleOf = (expr: string): Schedule =>
  cronSchedules.some((schedule) => schedule === expr)
    ? { schedule: expr, own: '' }
    : { schedule: ownSchedule, own: expr }

/**
 * The schedule of a job: a common one or a custom expression, with its meaning and the next runs.
 */
export function ScheduleFields({
  value,
  onChange,
  error,
}: {
  value: Schedule
  onChange: (value: Schedule) => void
  error: string | undefined
}) {
  const zone = cronZone(useMe())
  return (
    <>
      <SelectField
        className="max-w-72"
        label="Schedule"
        help={zone && `Times are in the time zone ${zone}`}
        value={value.schedule}
        options={schedules}
        onChange={(schedule) => onChange({ ...value, schedule })}
      />
      {isOwn(value) && (
        <TextField
          className="max-w-72"
          label="Expression"
          mono
          spellCheck={false}
          placeholder="0 30 4 * * *"
          value={value.own}
          onChange={(own) => onChange({ ...value, own })}
          error={error && `${error}. ${expressionHelp}`}
          help={expressionHelp}
        />
      )}
      <CronPreview expr={expressionOf(value)} />
    </>
  )
}
