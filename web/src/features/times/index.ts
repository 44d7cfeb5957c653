export { TimesLink } from './times-link.tsx'
