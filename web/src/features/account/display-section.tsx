import { densities, densityStore, setDensity, setTimeForm, timeForms, timeFormStore } from '../../browser/display.ts'
import { useStore } from '../../browser/store.ts'
import { setTheme, themes, themeStore } from '../../browser/theme.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { Section } from '../common/section.tsx'

const labelled = <T extends string>(values: readonly T[], labels: Record<T, string>) =>
  values.map((value) => ({ value, label: labels[value] }))

const themeOptions = labelled(themes, { system: 'Same as the system', light: 'Light', dark: 'Dark' })
const densityOptions = labelled(densities, { comfortable: 'Comfortable', compact: 'Compact' })
const timeOptions = labelled(timeForms, {
  relative: 'Relative',
  absolute: 'Absolute',
})

const oneOf = <T extends string>(values: readonly T[], value: string, set: (next: T) => void): void => {
  const chosen = values.find((choice) => choice === value)
  if (chosen) set(chosen)
}

/** Display preferences of this browser; they are not sent to the server. */
export function DisplaySection() {
  const theme = useStore(themeStore)
  const density = useStore(densityStore)
  const times = useStore(timeFormStore)
  return (
    <Section title="Display" about="Saved in this browser.">
      <div className="grid max-w-160 gap-4 sm:grid-cols-3">
        <SelectField
          label="Theme"
          value={theme}
          options={themeOptions}
          onChange={(value) => oneOf(themes, value, setTheme)}
        />
        <SelectField
          label="Density"
          value={density}
          options={densityOptions}
          onChange={(value) => oneOf(densities, value, setDensity)}
        />
        <SelectField
          label="Times in lists"
          value={times}
          options={timeOptions}
          onChange={(value) => oneOf(timeForms, value, setTimeForm)}
        />
      </div>
    </Section>
  )
}
