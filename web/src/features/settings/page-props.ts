export interface SettingsPageProps {
  namespace: string
  name: string
}
